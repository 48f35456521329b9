import { useEffect } from 'react'
import { createPortal } from 'react-dom'
import { useLocation } from 'react-router'
import { loadNamespace } from '../lib/i18n.js'
import { createLazyPart } from '../lib/lazy-part.js'
import { type ProofRequest, useProofRequest } from '../lib/proof-request.js'
import { useLazyPart } from '../lib/use-lazy-part.js'

const dialogPart = createLazyPart(async () => {
  const [dialog] = await Promise.all([import('../features/proof/ProofDialog.js'), loadNamespace('proof')])
  return dialog
})

/** The dialog for API requests that need a proof of the user. */
export function ProofPrompt() {
  const request = useProofRequest()
  const { pathname } = useLocation()
  return (
    request && (
      <>
        <LoadedDialog request={request} />
        <CancelOnLeave key={pathname} request={request} />
      </>
    )
  )
}

/** With another key or without the page, it cancels the request. Otherwise the dialog would cover the next page. */
function CancelOnLeave({ request }: { request: ProofRequest }) {
  useEffect(() => () => request.settle(false), [request])
  return null
}

/** When it cannot be loaded, the API request rejects with the reason. */
function LoadedDialog({ request }: { request: ProofRequest }) {
  const { module, error } = useLazyPart(dialogPart)
  useEffect(() => {
    if (error !== null) request.fail(error)
  }, [error, request])
  // Outside of `main`, whose children have the margins of pages.
  return module && createPortal(<module.default request={request} />, document.body)
}
