import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import type { Account } from '#shared/api'
import { Icon, type IconName } from '../../components/Icon.js'
import { Link } from '../../components/Link.js'
import { accountPaths } from '../../lib/account-paths.js'
import { paths } from '../../lib/paths.js'
import { useSettings } from '../../lib/settings.js'
import { useUnopenedCount } from './use-unopened-count.js'

interface SidebarLink {
  to: string
  label: string
  icon: IconName
  isAdminOnly?: boolean
  badge?: string
}

/** Navigation of the account pages. */
export function AccountSidebar({ role, onNavigate }: Pick<Account, 'role'> & { onNavigate(): void }) {
  const { t } = useTranslation('account')
  const { settings } = useSettings()
  const isAdminOnly = role !== 'admin'
  // Users who may no longer create requests still manage earlier ones.
  const hasRequests = settings.requests || settings.deniedByGroups
  const unopened = useUnopenedCount(hasRequests)
  const requests: SidebarLink = { to: accountPaths.requests, label: t('menu.requests'), icon: 'download' }
  if (unopened > 0) requests.badge = t('menu.unopened', { amount: unopened })
  // The specification sets this order. It mixes pages of users and of administrators, so no heading separates them.
  const own: SidebarLink[] = [
    { to: accountPaths.details, label: t('menu.account'), icon: 'user' },
    { to: accountPaths.secrets, label: t('menu.secrets'), icon: 'file' },
    ...(hasRequests ? [requests] : []),
    ...(settings.webhooks ? [{ to: accountPaths.webhooks, label: t('menu.webhooks'), icon: 'share' } as const] : []),
    { to: accountPaths.instanceSettings, label: t('menu.instance'), icon: 'sliders', isAdminOnly },
    { to: accountPaths.settings, label: t('menu.settings'), icon: 'pencil' },
    { to: accountPaths.security, label: t('menu.security'), icon: 'lock' },
    { to: accountPaths.users, label: t('menu.users'), icon: 'users', isAdminOnly },
  ]
  const others: SidebarLink[] = [
    { to: paths.public, label: t('common:frame.public-list'), icon: 'list' },
    { to: accountPaths.privacy, label: t('common:footer.privacy'), icon: 'file' },
    { to: accountPaths.terms, label: t('common:footer.terms'), icon: 'file' },
  ]
  return (
    <>
      <nav>
        <LinkGroup heading={t('title')} links={own} onFollow={onNavigate} />
        <LinkGroup heading={t('menu.others')} links={others} onFollow={onNavigate}>
          <li>
            <Link className="out" to={paths.signOut} onClick={onNavigate}>
              <Icon name="sign-out" />
              {t('common:frame.sign-out')}
            </Link>
          </li>
        </LinkGroup>
      </nav>
      <p className="hint">
        <bdi>{t('common:product')}</bdi>
      </p>
    </>
  )
}

interface GroupProps {
  heading: string
  links: SidebarLink[]
  onFollow(): void
  children?: ReactNode
}

function LinkGroup({ heading, links, onFollow, children }: GroupProps) {
  const { t } = useTranslation('account')
  const { pathname } = useLocation()
  const isCurrent = (to: string) => to === (pathname === paths.account ? accountPaths.details : pathname)
  return (
    <>
      <h2>{heading}</h2>
      <ul>
        {links.map(({ to, label, icon, isAdminOnly, badge }) => (
          <li key={to}>
            <Link to={to} aria-current={isCurrent(to) ? 'page' : undefined} onClick={onFollow}>
              <Icon name={icon} />
              {label}
              {badge && <span className="badge strong">{badge}</span>}
              {isAdminOnly && (
                <>
                  <span className="only-read">{t('menu.admins-only')}</span>
                  <Icon name="lock" />
                </>
              )}
            </Link>
          </li>
        ))}
        {children}
      </ul>
    </>
  )
}
