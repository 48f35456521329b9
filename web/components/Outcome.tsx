import type { ReactNode } from 'react'
import { ErrorNotice } from './ErrorNotice.js'

export interface OutcomeProps {
  /** Of a successful action. Its element stays, so that screen readers announce a new message. */
  message?: ReactNode
  /** Null or undefined: there is none. */
  error?: unknown
}

/** What the last action of a page or a card did. */
export function Outcome({ message, error = null }: OutcomeProps) {
  return (
    <>
      <p className="status" role="status">
        {message}
      </p>
      <ErrorNotice error={error} />
    </>
  )
}
