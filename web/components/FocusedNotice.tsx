import { type ReactNode, useEffect, useRef } from 'react'
import { Notice } from './Notice.js'

interface Props {
  /** Null: there is none. */
  error: unknown
  heading?: ReactNode
  children?: ReactNode
}

/** A notice that takes the focus with each new error, so that it is announced and scrolled into view. */
export function FocusedNotice({ error, heading, children }: Props) {
  const container = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (error !== null) container.current?.focus()
  }, [error])
  return (
    <div ref={container} tabIndex={-1} className="failure">
      {error !== null && (
        <Notice kind="bad" role="alert" heading={heading}>
          {children}
        </Notice>
      )}
    </div>
  )
}
