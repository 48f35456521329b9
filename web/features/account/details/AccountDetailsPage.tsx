import { useTranslation } from 'react-i18next'
import { useLoaderData } from 'react-router'
import type { UploadUsage } from '#shared/api'
import { Card } from '../../../components/Card.js'
import { Link } from '../../../components/Link.js'
import { Notice } from '../../../components/Notice.js'
import { Page } from '../../../components/Page.js'
import { UsageMeter } from '../../../components/UsageMeter.js'
import { accountPaths } from '../../../lib/account-paths.js'
import { language } from '../../../lib/i18n.js'
import { requireSession, useAccount } from '../../../lib/session/require-session.js'
import { loadUploadUsage } from '../account-api.js'
import { EmailState, EmailVerification } from '../verification/EmailVerification.js'

export const loader = requireSession(loadUploadUsage)

export default function AccountDetailsPage() {
  const { t } = useTranslation('account')
  const { username, generated } = useAccount()
  const usage = useLoaderData<UploadUsage>()
  return (
    <Page wide heading={t('greeting', { username })} title={t('title')}>
      {generated && (
        <Notice kind="warn" heading={t('generated.heading')}>
          {t('generated.explanation')} <Link to={accountPaths.security}>{t('generated.action')}</Link>
        </Notice>
      )}
      <EmailVerification />
      <Facts usage={usage} />
    </Page>
  )
}

function Facts({ usage }: { usage: UploadUsage }) {
  const { t } = useTranslation('account')
  const { email, role, createdAt } = useAccount()
  return (
    <Card heading={t('details.heading')}>
      <dl className="facts">
        <dt>{t('details.email')}</dt>
        <dd>
          <bdi>{email}</bdi> <EmailState />
        </dd>
        <dt>{t('details.role')}</dt>
        <dd>
          <span className="badge">{t(role === 'admin' ? 'details.admin' : 'details.user')}</span>
        </dd>
        <dt>{t('details.since')}</dt>
        <dd>{new Intl.DateTimeFormat(language, { dateStyle: 'long' }).format(createdAt)}</dd>
        <dt>{t('details.uploaded')}</dt>
        <dd>
          <UsageMeter {...usage} label={t('details.uploaded')} ofLimit={(amounts) => t('details.used-of', amounts)} />
        </dd>
      </dl>
    </Card>
  )
}
