import { type ReactNode, type RefObject, type SyntheticEvent, useEffect } from 'react'

interface Props {
  /** Close it with `close()`. */
  dialog: RefObject<HTMLDialogElement | null>
  /** Id of the heading. */
  labelledBy: string
  /** For Escape. With it, a click on the backdrop does nothing. */
  onCancel?: ((event: SyntheticEvent) => void) | undefined
  onClosed(): void
  children: ReactNode
}

/**
 * A modal dialog, open while it is rendered: use `useDeferredState`. Escape and the backdrop close it; the focus
 * returns to where it was before.
 */
export function Dialog({ dialog, labelledBy, onCancel, onClosed, children }: Props) {
  useEffect(() => dialog.current?.showModal(), [dialog])
  return (
    <dialog
      ref={dialog}
      aria-labelledby={labelledBy}
      // A dialog inside of it sends these events, too.
      onClose={({ target }) => target === dialog.current && onClosed()}
      onCancel={onCancel}
      onMouseDown={({ target }) => !onCancel && target === dialog.current && dialog.current.close()}
    >
      {children}
    </dialog>
  )
}
