import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { ErrorNotice } from '../../components/ErrorNotice.js'
import { Link } from '../../components/Link.js'
import { Page } from '../../components/Page.js'
import { paths } from '../../lib/paths.js'
import type { SessionInfo } from '../../lib/session/session-cookie.js'
import { returnPath } from './return-path.js'

/** Replaces the form for users who are signed in. `error`: of an external sign-in that returned here. */
export function SignedIn({ session: { username }, error = null }: { session: SessionInfo; error?: unknown }) {
  const { t } = useTranslation('auth')
  const { search } = useLocation()
  return (
    <Page centered heading={t('signed-in.heading', { username })} hasError={error !== null}>
      <ErrorNotice error={error} />
      <p className="actions">
        <Link className="button primary" to={returnPath(search)}>
          {t('signed-in.continue')}
        </Link>
        <Link className="button" to={paths.signOut}>
          {t('common:frame.sign-out')}
        </Link>
      </p>
    </Page>
  )
}
