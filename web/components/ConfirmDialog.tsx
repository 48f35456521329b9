import { type ReactNode, useId, useRef } from 'react'
import { Dialog } from './Dialog.js'

interface Props {
  heading: string
  explanation: ReactNode
  cancelLabel: string
  confirmLabel: string
  isDangerous?: boolean
  onConfirm(): void
  /** Also after `onConfirm`. */
  onClosed(): void
}

/** Asks before an action that cannot be undone. */
export function ConfirmDialog(props: Props) {
  const { heading, explanation, cancelLabel, confirmLabel, isDangerous = true, onConfirm, onClosed } = props
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const close = () => dialog.current?.close()
  return (
    <Dialog dialog={dialog} labelledBy={id} onClosed={onClosed}>
      <div className="dialog">
        <h2 id={id}>{heading}</h2>
        <p>{explanation}</p>
        <div className="actions end">
          <button type="button" className="button" onClick={close}>
            {cancelLabel}
          </button>
          <button
            type="button"
            className={isDangerous ? 'button danger solid' : 'button primary'}
            onClick={() => {
              close()
              onConfirm()
            }}
          >
            {confirmLabel}
          </button>
        </div>
      </div>
    </Dialog>
  )
}
