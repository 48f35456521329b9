import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLoaderData } from 'react-router'
import { STATS_LIVE_MAX } from '#shared/account-limits'
import type { Stats as StatsData } from '#shared/api'
import { ApiError } from '#shared/client/client'
import { readStats } from '#shared/client/stats-client'
import { EmptyState } from '../../components/EmptyState.js'
import { Notice } from '../../components/Notice.js'
import { Page } from '../../components/Page.js'
import { errorMessage } from '../../lib/error-message.js'
import { formatDuration, formatPercent } from '../../lib/format.js'
import { language } from '../../lib/i18n.js'
import { site } from '../../lib/site.js'
import { AmountText } from './AmountText.js'
import { approximate, percentOf } from './amounts.js'
import { DailyColumnChart } from './DailyColumnChart.js'
import { ShareBars } from './ShareBars.js'

/** The statistics, or the error of a user who may not see them. */
type Loaded = { stats: StatsData } | { error: ApiError }

export async function loader(): Promise<Loaded> {
  try {
    return { stats: await readStats({ server: site.base }) }
  } catch (error) {
    if (error instanceof ApiError && error.code.startsWith('auth.')) return { error }
    throw error
  }
}

export default function StatsPage() {
  const { t } = useTranslation('stats')
  const loaded = useLoaderData<Loaded>()
  return (
    <Page wide heading={t('heading')} lede={t('lede')}>
      {'error' in loaded ? <Notice kind="info">{errorMessage(loaded.error)}</Notice> : <Charts {...loaded.stats} />}
    </Page>
  )
}

function Charts({ days, total, live, medianWait }: StatsData) {
  const { t } = useTranslation('stats')
  if (total.created === 0 && total.viewed === 0) {
    return (
      <EmptyState title={t('empty')} hint={t('empty-hint')}>
        {null}
      </EmptyState>
    )
  }
  const created = approximate(total.created)
  // Opened secrets may have been created before this period.
  const opened = total.created === null ? null : percentOf(total.opened, Math.max(created, total.opened ?? 0))
  const ended = approximate(total['used-up']) + approximate(total.burned) + approximate(total.expired)
  return (
    <>
      <dl className="tiles">
        <Tile label={t('created')}>
          <AmountText amount={total.created} />
        </Tile>
        <Tile label={t('live')}>
          <AmountText amount={live} most={STATS_LIVE_MAX} />
        </Tile>
        <Tile label={t('opened')}>{opened === null ? t('too-few') : formatPercent(opened, language)}</Tile>
        <Tile label={t('wait')}>
          {medianWait === null ? t('too-few') : t('up-to', { time: formatDuration(medianWait, language) })}
        </Tile>
      </dl>
      <DailyColumnChart heading={t('days.heading')} days={days.map(({ day, created }) => ({ day, amount: created }))} />
      <ShareBars
        heading={t('ends.heading')}
        whole={ended}
        parts={[
          { label: t('ends.used-up'), amount: total['used-up'] },
          { label: t('ends.expired'), amount: total.expired },
          { label: t('ends.burned'), amount: total.burned },
        ]}
      />
      <ShareBars
        heading={t('options.heading')}
        whole={created}
        parts={[
          { label: t('options.password'), amount: total['with-password'] },
          { label: t('options.files'), amount: total['with-files'] },
          { label: t('options.address'), amount: total['with-address'] },
          { label: t('options.public'), amount: total.public },
        ]}
      />
    </>
  )
}

function Tile({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="card">
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
