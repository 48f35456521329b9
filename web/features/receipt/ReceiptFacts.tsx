import { useTranslation } from 'react-i18next'
import type { Receipt } from '#shared/api'
import { formatNumber } from '../../lib/format.js'
import { formatDateTime, formatRelativeTime } from '../../lib/format-time.js'
import { language } from '../../lib/i18n.js'

/** The state, its times and the counters. */
export function ReceiptFacts({ receipt }: { receipt: Receipt }) {
  const { t } = useTranslation('receipt')
  const { state, views, maxViews, createdAt, expiresAt, endedAt, keptUntil } = receipt
  const { wrongPasswords, wrongPasswordAt, refusedAddresses, refusedAddressAt } = receipt
  const toText = (at: number) =>
    t('common:facts.date', {
      date: formatDateTime(at, language),
      relative: formatRelativeTime(at, Date.now(), language),
    })
  const toCount = (count: number, at: number | null) =>
    at === null ? formatNumber(count, language) : t('last', { amount: count, date: toText(at) })
  return (
    <section className="card" aria-label={t('heading')}>
      <dl className="facts">
        <dt>{t('requests:collect.state')}</dt>
        <dd>
          <strong role="status">{t(`states.${state === 'expired' && views === 0 ? 'unread' : state}`)}</strong>
        </dd>
        <dt>{t('views')}</dt>
        <dd>{maxViews === null ? formatNumber(views, language) : t('views-of', { views, limit: maxViews })}</dd>
        <dt>{t('created')}</dt>
        <dd>{toText(createdAt)}</dd>
        <dt>{endedAt === null ? t('common:facts.expires') : t('ended')}</dt>
        <dd>{toText(endedAt ?? expiresAt)}</dd>
        <dt>{t('wrong-passwords')}</dt>
        <dd>{toCount(wrongPasswords, wrongPasswordAt)}</dd>
        <dt>{t('refused-addresses')}</dt>
        <dd>{toCount(refusedAddresses, refusedAddressAt)}</dd>
      </dl>
      {keptUntil !== null && <p className="hint">{t('kept', { date: formatDateTime(keptUntil, language) })}</p>}
    </section>
  )
}
