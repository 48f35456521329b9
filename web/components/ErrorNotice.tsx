import { useEffect, useRef } from 'react'
import { errorMessage } from '../lib/error-message.js'
import { Notice } from './Notice.js'

/** Shows an error and takes the focus, so that it is announced and scrolled into view. */
export function ErrorNotice({ error }: { error: unknown }) {
  const container = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (error !== null) container.current?.focus()
  }, [error])
  return (
    <div ref={container} tabIndex={-1} className="failure">
      {error !== null && (
        <Notice kind="bad" role="alert">
          {errorMessage(error)}
        </Notice>
      )}
    </div>
  )
}
