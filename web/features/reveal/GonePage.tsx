import { useTranslation } from 'react-i18next'
import type { EpochMs } from '#shared/epoch-ms'
import { CopyButton } from '../../components/CopyButton.js'
import { Page } from '../../components/Page.js'
import { ShareLink } from '../../components/ShareLink.js'
import { isolateLtr } from '../../lib/format.js'
import { formatDateTime } from '../../lib/format-time.js'
import { language } from '../../lib/i18n.js'
import { useSettings } from '../../lib/settings.js'
import type { GoneReason } from './use-reveal.js'

interface Props {
  isKeyTyped: boolean
  why: GoneReason
  /** When this tab used the last view; null: not known. */
  openedAt: EpochMs | null
  onRetry(): void
}

/** Viewed, expired, unknown or restricted to other addresses: the server gives the same response for all of these. */
export function GonePage({ isKeyTyped, why, openedAt, onRetry }: Props) {
  const { t } = useTranslation('reveal')
  const { address } = useSettings().settings
  return (
    <Page centered heading={t('gone.heading')} lede={lede()}>
      {why !== 'opened-here' && (
        <section className="card" aria-label={t('gone.why')}>
          <h2>{t('gone.why')}</h2>
          <ul className="causes">
            {why === 'unknown' && (
              <li>
                <strong>{t('gone.opened.cause')}</strong> {t('gone.opened.advice')}
              </li>
            )}
            <li>
              <strong>{t('gone.expired.cause')}</strong> {t('gone.expired.advice')}
            </li>
            <li>
              <strong>{t('gone.changed.cause')}</strong> {t('gone.changed.advice')}
            </li>
            <li>
              <strong>{t('gone.address.cause')}</strong>{' '}
              {address ? t('gone.address.yours', { address: isolateLtr(address) }) : t('gone.address.unknown')}
              {address && (
                <div className="actions">
                  <CopyButton text={address}>{t('gone.address.copy')}</CopyButton>
                </div>
              )}
            </li>
          </ul>
        </section>
      )}
      <div className="actions">
        {isKeyTyped && (
          <button type="button" className="button primary" onClick={onRetry}>
            {t('gone.another-key')}
          </button>
        )}
        <CopyButton primary={!isKeyTyped} text={t('gone.request', { origin: location.origin })}>
          {t('gone.ask')}
        </CopyButton>
        <ShareLink isPrimary={false} />
      </div>
    </Page>
  )

  function lede(): string {
    if (why === 'unknown') return t('gone.lede')
    if (why === 'maybe-opened-here') return t('gone.maybe-here')
    return openedAt === null ? t('left.burned') : t('gone.here', { time: formatDateTime(openedAt, language) })
  }
}
