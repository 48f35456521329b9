import { errorMessage } from '../lib/error-message.js'

/** The text of an error, with a countdown that screen readers hear only once. `left`: of `useCountdown`. */
export function ErrorText({ error, left }: { error: unknown; left: number }) {
  if (left === 0) return errorMessage(error, 0)
  return (
    <>
      <span className="only-read">{errorMessage(error)}</span>
      <span aria-hidden="true">{errorMessage(error, left)}</span>
    </>
  )
}
