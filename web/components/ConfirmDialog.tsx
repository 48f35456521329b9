import { type ReactNode, type RefObject, useId } from 'react'

interface Props {
  /** Open it with `showModal()`. */
  dialog: RefObject<HTMLDialogElement | null>
  heading: string
  explanation: ReactNode
  cancelLabel: string
  confirmLabel: string
  isDangerous?: boolean
  onConfirm(): void
  /** Called whenever the dialog closes, also after `onConfirm`. */
  onCancel?(): void
}

/** Asks before an action that cannot be undone. Escape, the backdrop and the first button cancel. */
export function ConfirmDialog(props: Props) {
  const { dialog, heading, explanation, cancelLabel, confirmLabel, isDangerous = true, onConfirm, onCancel } = props
  const id = useId()
  const close = () => dialog.current?.close()
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does what a click on the backdrop does
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onClose={onCancel}
      onClick={(event) => event.target === dialog.current && close()}
    >
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
    </dialog>
  )
}
