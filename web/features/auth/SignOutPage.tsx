import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useLoaderData, useLocation } from 'react-router'
import { Link } from '../../components/Link.js'
import { Page } from '../../components/Page.js'
import { paths } from '../../lib/paths.js'
import { ENDED_QUERY } from '../../lib/session/session-ended.js'
import { sessionStore } from '../../lib/session/session-store.js'
import { useSettings } from '../../lib/settings.js'
import { type SignOutResult, signOutUser } from './sign-out.js'

export const loader = signOutUser

export default function SignOutPage() {
  const { t } = useTranslation('auth')
  const { outcome } = useLoaderData<SignOutResult>()
  const { search, state } = useLocation()
  const { retry } = useSettings()
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per sign-out
  useEffect(() => {
    sessionStore.notify()
    retry()
  }, [outcome])
  const isOver = outcome === 'ended' || outcome === 'none'
  const ended = search === ENDED_QUERY ? 'ended' : outcome === 'none' ? null : 'everywhere'
  const why = state?.isDeleted ? 'deleted' : isOver ? ended : outcome
  return (
    <Page
      centered
      heading={t(why === 'proxy-session' ? 'sign-out.not-yet' : 'sign-out.heading')}
      lede={why && t(`sign-out.why.${why}`)}
    >
      <p className="actions">
        {why !== 'deleted' && why !== 'proxy-session' && (
          <Link className="button primary" to={paths.signIn}>
            {t('sign-out.again')}
          </Link>
        )}
        <Link className="button" to={paths.home}>
          {t('common:share')}
        </Link>
      </p>
    </Page>
  )
}
