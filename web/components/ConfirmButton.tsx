import { useDeferredState } from '../lib/use-deferred-state.js'
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
  const [isAsking, setAsking] = useDeferredState(false)
  return (
    <>
      <button
        type="button"
        className={isDangerous ? 'button danger' : 'button'}
        aria-label={name}
        onClick={() => setAsking(true)}
      >
        {label}
      </button>
      {/* A list would have seven more elements for each row. */}
      {isAsking && <ConfirmDialog isDangerous={isDangerous} {...question} onClosed={() => setAsking(false)} />}
    </>
  )
}
