import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { Link } from '../../components/Link.js'
import { paths } from '../../lib/paths.js'
import { useSession } from '../../lib/session/session-store.js'
import { useSettings } from '../../lib/settings.js'

/**
 * Links between the forms that share and request a secret. The page that the server renders contains them too. Visitors
 * get them also where users may create requests: the second form tells them to sign in.
 */
export function ComposeTabs() {
  const { t } = useTranslation('compose')
  const { pathname } = useLocation()
  const { requests, who_can_request: who, disable_users: isSignInOff } = useSettings().settings
  const isForUsers = !isSignInOff && (who === 'users' || who === 'anyone')
  const isSignedOut = useSession() === null
  if (!requests && !(isSignedOut && isForUsers)) return null
  return (
    <ul className="tabs">
      <li>
        <Link to={paths.home} aria-current={pathname === paths.home ? 'page' : undefined}>
          {t('tabs.share')}
        </Link>
      </li>
      <li>
        <Link to={paths.request} aria-current={pathname === paths.request ? 'page' : undefined}>
          {t('tabs.request')}
        </Link>
      </li>
    </ul>
  )
}
