import { useEffect, useRef } from 'react'
import { errorText } from '../lib/error-message.js'
import { Notice } from './Notice.js'

/** Why a form was not taken. The focus comes here, so that it is heard and seen. */
export function FailureNotice({ failure }: { failure: unknown }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (failure !== null) place.current?.focus()
  }, [failure])
  return (
    <div ref={place} tabIndex={-1} className="failure">
      {failure !== null && (
        <Notice kind="bad" role="alert">
          {errorText(failure)}
        </Notice>
      )}
    </div>
  )
}
