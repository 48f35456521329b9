import { useRef } from 'react'
import { ConfirmDialog } from '../../components/ConfirmDialog.js'

interface Props {
  label: string
  /** The label with the thing that it is about, for who does not see the row. */
  name: string
  heading: string
  explanation: string
  cancelLabel: string
  confirmLabel: string
  onConfirm(): void
}

/** Ends one of several things, after asking. */
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
