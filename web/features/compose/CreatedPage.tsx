import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { BurnButton } from '../../components/BurnButton.js'
import { CopyButton } from '../../components/CopyButton.js'
import { Notice } from '../../components/Notice.js'
import { Page } from '../../components/Page.js'
import { api } from '../../lib/api.js'
import { copyText } from '../../lib/clipboard.js'
import { errorMessage } from '../../lib/error-message.js'
import {
  formatBytes,
  formatDateTime,
  formatNumber,
  formatRelativeTime,
  isolateLtr,
  sanitizeName,
} from '../../lib/format.js'
import { language } from '../../lib/i18n.js'
import type { CreatedLink, ShownLink } from './created-link.js'
import { LinkCard } from './LinkCard.js'
import { ReceiptCard } from './ReceiptCard.js'
import { Shortcuts } from './Shortcuts.js'

interface Props extends ShownLink {
  onAnother(): void
  onBurned(): void
}

export function CreatedPage({ secret, copied, isBurned: wasBurned = false, onAnother, onBurned }: Props) {
  const { t } = useTranslation('home')
  const [isCopied, setCopied] = useState<boolean | null>(null)
  const [isBurned, setBurned] = useState(wasBurned)
  const [error, setError] = useState<unknown>(null)
  useEffect(() => void copied.then(setCopied), [copied])

  const burn = async () => {
    setError(null)
    try {
      await api.burn(secret.id, { burnToken: secret.burnToken })
      setBurned(true)
      onBurned()
    } catch (cause) {
      setError(cause)
    }
  }
  const another = (
    <button type="button" className="button" onClick={onAnother}>
      {t('created.another')}
    </button>
  )
  if (isBurned) {
    return (
      <Page centered heading={t('burned.heading')} lede={t('burned.lede')}>
        <div className="actions">{another}</div>
      </Page>
    )
  }
  const date = formatDateTime(secret.expiresAt, language)
  const lede =
    secret.maxViews === null
      ? t(secret.kind === 'public' ? 'created.lede-public' : 'created.lede-kept', { date })
      : t('created.lede', { count: secret.maxViews, date })
  return (
    <Page heading={t('created.heading')} lede={lede}>
      <div role="status">
        {isCopied === true && <Notice kind="good">{t('created.copied')}</Notice>}
        {isCopied === false && <Notice kind="info">{t('created.not-copied')}</Notice>}
      </div>
      <LinkCard secret={secret} />
      {secret.receipt && <ReceiptCard link={secret.receipt} />}
      <Facts secret={secret} />
      {error !== null && <Notice kind="bad" role="alert" heading={errorMessage(error)} />}
      <div className="between apart">
        {another}
        <BurnButton isQuiet explanation={t('created.burn-explanation')} onBurn={burn} />
      </div>
      <Shortcuts copy={() => void copyText(secret.link).then(setCopied)} startNew={onAnother} />
    </Page>
  )
}

function Facts({ secret: { expiresAt, maxViews, password, allowedIp, files } }: { secret: CreatedLink }) {
  const { t } = useTranslation('home')
  const date = formatDateTime(expiresAt, language)
  return (
    <section className="card" aria-label={t('created.details')}>
      <dl className="facts">
        <dt>{t('common:facts.expires')}</dt>
        <dd>{t('common:facts.date', { date, relative: formatRelativeTime(expiresAt, Date.now(), language) })}</dd>
        <dt>{t('views.label')}</dt>
        <dd>{maxViews === null ? t('views.not-limited') : formatNumber(maxViews, language)}</dd>
        {password && (
          <>
            <dt>{t('password.label')}</dt>
            <dd>
              {t('created.password')} <CopyButton text={password}>{t('created.copy-password')}</CopyButton>
            </dd>
          </>
        )}
        {allowedIp && (
          <>
            <dt>{t('created.allowed-from')}</dt>
            <dd className="mono">{isolateLtr(allowedIp)}</dd>
          </>
        )}
        {files.length > 0 && (
          <>
            <dt>{t('files:list')}</dt>
            <dd>
              <ul className="sent-files">
                {files.map(({ name, size }, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes, and names may repeat
                  <li key={index}>
                    <bdi translate="no">{sanitizeName(name)}</bdi>{' '}
                    <span className="hint">{formatBytes(size, language)}</span>
                  </li>
                ))}
              </ul>
            </dd>
          </>
        )}
      </dl>
    </section>
  )
}
