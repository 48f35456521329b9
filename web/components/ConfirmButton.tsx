import { useRef } from 'react'
import { ConfirmDialog } from './ConfirmDialog.js'

interface Props {
  label: string
  /** Accessible name: the label with the name of the row. */
  name: string
  heading: string
  explanation: string
  cancelLabel: string
  confirmLabel: string
  isDangerous?: boolean
  onConfirm(): void
}

/** A button for an action that cannot be undone, with a confirmation. */
export function ConfirmButton({ label, name, isDangerous = true, ...question }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  return (
    <>
      <button
        type="button"
        className={isDangerous ? 'button danger' : 'button'}
        aria-label={name}
        onClick={() => dialog.current?.showModal()}
      >
        {label}
      </button>
      <ConfirmDialog dialog={dialog} isDangerous={isDangerous} {...question} />
    </>
  )
}
