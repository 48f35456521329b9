import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { CreatedToken } from '#shared/api'
import { CopyButton } from '../../../../components/CopyButton.js'
import { Notice } from '../../../../components/Notice.js'
import { sanitizeName } from '../../../../lib/format.js'
import { withBase } from '../../../../lib/site.js'

/** Shows a new token. It cannot be shown again. */
export function CreatedTokenCard({ created: { name, token }, onDone }: { created: CreatedToken; onDone(): void }) {
  const { t } = useTranslation('account')
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current?.focus(), [])
  // Works with every scope.
  const command = `curl -u "${token}:" ${new URL(withBase('/api/v1/authentication/verify'), location.origin)}`
  return (
    <div ref={place} tabIndex={-1} className="stack failure">
      <Notice kind="good" role="status" heading={t('tokens.ready', { name: sanitizeName(name) })}>
        {t('tokens.once')}
      </Notice>
      <h3>{t('tokens.token')}</h3>
      <code className="link-box" translate="no">
        {token}
      </code>
      <div className="actions">
        <CopyButton text={token} primary>
          {t('tokens.copy')}
        </CopyButton>
        <button type="button" className="button" onClick={onDone}>
          {t('tokens.done')}
        </button>
      </div>
      <h3>{t('tokens.example')}</h3>
      <code className="link-box" translate="no">
        {command}
      </code>
      <div className="actions">
        <CopyButton text={command}>{t('tokens.copy-example')}</CopyButton>
      </div>
    </div>
  )
}
