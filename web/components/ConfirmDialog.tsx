import { type ReactNode, type RefObject, useId } from 'react'

interface Props {
  /** Call `showModal()` on it. */
  dialog: RefObject<HTMLDialogElement | null>
  heading: string
  explanation: ReactNode
  keep: string
  act: string
  onAct(): void
  /** When it is closed without the act. */
  onKeep?(): void
}

/** Asks before something that cannot be undone. Escape, the backdrop and the first button leave everything as it is. */
export function ConfirmDialog({ dialog, heading, explanation, keep, act, onAct, onKeep }: Props) {
  const id = useId()
  const close = () => dialog.current?.close()
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does what a click on the backdrop does
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onClose={onKeep}
      onClick={(event) => event.target === dialog.current && close()}
    >
      <div className="dialog">
        <h2 id={id}>{heading}</h2>
        <p>{explanation}</p>
        <div className="actions end">
          <button type="button" className="button" onClick={close}>
            {keep}
          </button>
          <button
            type="button"
            className="button danger solid"
            onClick={() => {
              close()
              onAct()
            }}
          >
            {act}
          </button>
        </div>
      </div>
    </dialog>
  )
}
