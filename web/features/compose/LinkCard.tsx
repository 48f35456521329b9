import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../components/CopyButton.js'
import { formatBytes, formatDateTimeWithZone, isolateLtr, sanitizeName } from '../../lib/format.js'
import { language } from '../../lib/i18n.js'
import type { CreatedLink } from './created-link.js'
import { LinkActions } from './link/LinkActions.js'
import { LinkExtras } from './link/LinkExtras.js'

/** The link, what limits it, and ways to copy and share it. */
export function LinkCard({ secret }: { secret: CreatedLink }) {
  const { t } = useTranslation('compose')
  const { link, url, key, expiresAt, maxViews, receipt } = secret
  const id = useId()
  const date = formatDateTimeWithZone(expiresAt, language)
  const message =
    maxViews === null ? t('message.kept', { link, date }) : t('message.counted', { count: maxViews, link, date })
  const separateKey = key !== null && {
    label: t('separate-key.heading'),
    content: <SeparateKey url={url} value={key} />,
  }
  const receiptLink = receipt !== undefined && { label: t('receipt.link'), content: <ReceiptLink link={receipt} /> }
  const others = [separateKey, receiptLink].filter((each) => each !== false)
  return (
    <section className="card" aria-labelledby={id}>
      <h2 id={id}>{t('link.label')}</h2>
      <code className="link-box">{link}</code>
      <LinkActions link={link} />
      <Facts secret={secret} />
      {/* The receipt link is shown only on this page. */}
      <LinkExtras {...{ link, message, others }} first={receipt === undefined ? null : others.length + 1} />
    </section>
  )
}

/** Facts that the lede does not contain. */
function Facts({ secret: { password, allowedIp, recipients, files } }: { secret: CreatedLink }) {
  const { t } = useTranslation('compose')
  if (!password && !allowedIp && recipients.length + files.length === 0) return null
  return (
    <dl className="facts">
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
      {recipients.length > 0 && (
        <>
          <dt>{t('recipients.label')}</dt>
          <dd>
            <ol className="sent-files">
              {recipients.map((address) => (
                <li key={address} className="mono" dir="ltr">
                  {address}
                </li>
              ))}
            </ol>
          </dd>
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
  )
}

function SeparateKey({ url, value }: { url: string; value: string }) {
  const { t } = useTranslation('compose')
  return (
    <>
      <p className="hint">{t('separate-key.explanation')}</p>
      <h3>{t('separate-key.link')}</h3>
      <code className="link-box">{url}</code>
      <CopyButton text={url}>{t('separate-key.copy-link')}</CopyButton>
      <h3>{t('separate-key.key')}</h3>
      <code className="link-box">{value}</code>
      <CopyButton text={value}>{t('separate-key.copy-key')}</CopyButton>
    </>
  )
}

function ReceiptLink({ link }: { link: string }) {
  const { t } = useTranslation('compose')
  return (
    <>
      <p className="hint">{t('receipt.keep')}</p>
      <code className="link-box">{link}</code>
      <CopyButton text={link}>{t('receipt.copy')}</CopyButton>
    </>
  )
}
