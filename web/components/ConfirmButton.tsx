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
  onConfirm(): void
}

/** A button for a destructive action, with a confirmation. */
export function ConfirmButton({ label, name, ...question }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  return (
    <>
      <button type="button" className="button danger" aria-label={name} onClick={() => dialog.current?.showModal()}>
        {label}
      </button>
      <ConfirmDialog dialog={dialog} {...question} />
    </>
  )
}
