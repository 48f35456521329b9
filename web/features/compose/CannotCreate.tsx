import { useTranslation } from 'react-i18next'
import { Link } from '../../components/Link.js'
import { Notice } from '../../components/Notice.js'
import { paths } from '../../lib/paths.js'
import { useSession } from '../../lib/session/session-store.js'
import { useSettings } from '../../lib/settings.js'

/** Why the form is disabled. */
export function CannotCreate() {
  const { t } = useTranslation('compose')
  const { read_only: isReadOnly, who_can_create: who, emailUnverified, deniedByGroups } = useSettings().settings
  const isSignedOut = useSession() === null
  const isUnverified = emailUnverified && who === 'users'
  const forOthers = who === 'users' && isSignedOut ? 'settings.users_only' : 'settings.policy'
  const forUsers = isUnverified ? 'auth.email_unverified' : forOthers
  const forMembers = deniedByGroups ? 'auth.not_creator' : forUsers
  const restricted = t(`common:errors.${who === 'admins' ? 'settings.admins_only' : forMembers}`)
  return (
    <Notice kind="info" heading={isReadOnly ? t('read-only.heading') : restricted}>
      {t('read-only.explanation')}{' '}
      {!isReadOnly && isSignedOut && <Link to={`${paths.signIn}?to=${paths.home}`}>{t('common:frame.sign-in')}</Link>}
      {!isReadOnly && isUnverified && <Link to={paths.account}>{t('common:footer.account')}</Link>}
    </Notice>
  )
}
