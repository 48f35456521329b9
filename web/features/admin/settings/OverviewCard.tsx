import { useTranslation } from 'react-i18next'
import type { Overview } from '#shared/api'
import { Card } from '../../../components/Card.js'
import { UsageMeter } from '../../../components/UsageMeter.js'
import { formatNumber, isolateLtr } from '../../../lib/format.js'
import { formatDateTime } from '../../../lib/format-time.js'
import { language } from '../../../lib/i18n.js'

/** How much the instance holds, and what needs attention. */
export function OverviewCard({ overview }: { overview: Overview }) {
  const { t } = useTranslation('admin')
  const { version, users, liveSecrets, storage, failures, problems } = overview
  return (
    <Card heading={t('overview.heading')}>
      <dl className="facts">
        <dt>{t('users.heading')}</dt>
        <dd>{formatNumber(users, language)}</dd>
        <dt>{t('overview.secrets')}</dt>
        <dd>{formatNumber(liveSecrets, language)}</dd>
        <dt>{t('storage.heading')}</dt>
        <dd>
          <UsageMeter {...storage} label={t('storage.heading')} ofLimit={(amounts) => t('storage.used-of', amounts)} />
        </dd>
        <dt>{t('overview.version')}</dt>
        <dd>{isolateLtr(version)}</dd>
        <dt>{t('overview.failures')}</dt>
        <dd>
          {failures.length === 0 && t('overview.none')}
          {failures.map(({ channel, at, result }) => (
            <p key={channel}>
              {isolateLtr(channel)}: {formatDateTime(at, language)}
              {result !== '' && `, ${isolateLtr(result)}`}
            </p>
          ))}
        </dd>
        <dt>{t('overview.problems')}</dt>
        <dd>{problems.length === 0 ? t('overview.none') : formatNumber(problems.length, language)}</dd>
      </dl>
      {problems.length > 0 && <Problems problems={problems} />}
    </Card>
  )
}

function Problems({ problems }: Pick<Overview, 'problems'>) {
  const { t, i18n } = useTranslation('admin')
  return (
    <ul className="bullets">
      {problems.map(({ code, params, message, fix }) =>
        i18n.exists(`admin:problems.${code}`) ? (
          <li key={message}>{t(`problems.${code}`, isolateValues(params))}</li>
        ) : (
          // A server that is newer than this page.
          <li key={message} lang="en" dir="ltr">
            {message}
            <p className="hint">{fix}</p>
          </li>
        ),
      )}
    </ul>
  )
}

const isolateValues = (params: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, isolateLtr(value)]))
