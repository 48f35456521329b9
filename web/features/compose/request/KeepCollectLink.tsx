import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from '../../../components/Link.js'
import { Notice } from '../../../components/Notice.js'
import { accountPaths } from '../../../lib/account-paths.js'
import {
  canKeepCollectLinks,
  forgetCollectLink,
  keepCollectLink,
} from '../../../lib/collect-links/kept-collect-links.js'
import { sessionStore } from '../../../lib/session/session-store.js'
import type { CreatedRequestLinks } from './created-requests.js'

interface Props {
  request: CreatedRequestLinks
  isKept: boolean
  onChange(isKept: boolean): void
}

/** Keeps the collect link in this browser, so that the list of requests leads to the submissions. Not on plain http. */
export function KeepCollectLink({ request: { id, collectLink, expiresAt }, isKept, onChange }: Props) {
  const { t } = useTranslation('requests')
  const [hasFailed, setFailed] = useState(false)
  const keep = async () => {
    const username = sessionStore.current()?.username ?? ''
    const isDone = await keepCollectLink({ username, id }, collectLink, expiresAt)
    setFailed(!isDone)
    onChange(isDone)
  }
  const forget = async () => {
    await forgetCollectLink(id)
    onChange(false)
  }
  if (!canKeepCollectLinks()) return null
  return (
    <>
      {hasFailed && <Notice kind="bad" role="alert" heading={t('keep.failed')} />}
      <p role="status">{isKept && t('keep.kept')}</p>
      <div className="actions">
        {isKept && (
          <Link className="button" to={accountPaths.requests}>
            {t('own.heading')}
          </Link>
        )}
        <button type="button" className="button" onClick={isKept ? forget : keep}>
          {t(isKept ? 'keep.remove' : 'keep.action')}
        </button>
      </div>
      <p className="hint">{t('keep.hint')}</p>
    </>
  )
}
