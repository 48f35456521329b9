import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import type { Receipt } from '#shared/api'
import { ApiError } from '#shared/client/client'
import { readReceipt } from '#shared/client/receipt-client'
import { parseReceiptLink } from '#shared/parse-links'
import { EndPage } from '../../components/EndPage.js'
import { ErrorNotice } from '../../components/ErrorNotice.js'
import { Page } from '../../components/Page.js'
import { RequestLinkProblem } from '../../components/RequestLinkProblem.js'
import { site } from '../../lib/site.js'
import { ReceiptFacts } from './ReceiptFacts.js'
import { ReceiptViews } from './ReceiptViews.js'

/** The page of a receipt link, which shows what became of a secret. Another link mounts it again. */
export default function ReceiptPage() {
  const { hash } = useLocation()
  return <ShownReceipt key={hash} token={readToken(location.href)} />
}

/** null: the link is incomplete or changed. */
function readToken(url: string): string | null {
  try {
    return parseReceiptLink(url).token
  } catch {
    return null
  }
}

function ShownReceipt({ token }: { token: string | null }) {
  const { t } = useTranslation('receipt')
  const { receipt, isGone, isLoading, error, load } = useReceipt(token)
  if (token === null) return <RequestLinkProblem problem="broken" />
  if (isGone) return <EndPage heading={t('gone.heading')} lede={t('gone.explanation')} />
  return (
    <Page heading={t('heading')} lede={t('lede')}>
      <ErrorNotice error={error} />
      {receipt && <ReceiptFacts receipt={receipt} />}
      {receipt && receipt.viewList.length > 0 && <ReceiptViews receipt={receipt} />}
      <div className="actions">
        <button type="button" className="button" aria-disabled={isLoading} onClick={load}>
          {t(isLoading ? 'common:frame.loading' : 'requests:collect.refresh')}
        </button>
      </div>
    </Page>
  )
}

function useReceipt(token: string | null) {
  const [receipt, setReceipt] = useState<Receipt | null>(null)
  const [isGone, setGone] = useState(false)
  const [isLoading, setLoading] = useState(true)
  const [error, setError] = useState<unknown>(null)

  async function load(): Promise<void> {
    if (token === null) return
    setLoading(true)
    setError(null)
    try {
      setReceipt(await readReceipt(token, { server: site.base }))
    } catch (cause) {
      if (cause instanceof ApiError && cause.code === 'receipt.not_found') setGone(true)
      else setError(cause)
    } finally {
      setLoading(false)
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each link
  useEffect(() => void load(), [token])
  return { receipt, isGone, isLoading, error, load }
}
