import { useEffect, useRef } from 'react'
import { errorMessage } from '../lib/error-message.js'
import { Notice } from './Notice.js'

/** Why a form was not taken. The focus comes here, so that it is heard and seen. */
export function ErrorNotice({ error }: { error: unknown }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (error !== null) place.current?.focus()
  }, [error])
  return (
    <div ref={place} tabIndex={-1} className="failure">
      {error !== null && (
        <Notice kind="bad" role="alert">
          {errorMessage(error)}
        </Notice>
      )}
    </div>
  )
}
