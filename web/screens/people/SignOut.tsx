import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useLoaderData, useLocation } from 'react-router'
import { loginChanged } from '../../login.js'
import { Link } from '../../parts/Link.js'
import { Page } from '../../parts/Page.js'
import { paths } from '../../paths.js'
import { useSettings } from '../../settings.js'
import type { SignedOut } from './load-sign-out.js'
import { ENDED } from './session-ended.js'

export default function SignOut() {
  const { t } = useTranslation('people')
  const { outcome } = useLoaderData<SignedOut>()
  const { search, state } = useLocation()
  const { retry } = useSettings()
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, after it happened
  useEffect(() => {
    loginChanged()
    retry()
  }, [outcome])
  const ended = search === ENDED ? 'ended' : 'everywhere'
  const why = state?.isDeleted ? 'deleted' : outcome === 'ended' ? ended : outcome
  return (
    <Page heading={t(why === 'vouched' ? 'sign-out.not-yet' : 'sign-out.heading')} lede={t(`sign-out.why.${why}`)}>
      <p className="actions">
        {why !== 'deleted' && why !== 'vouched' && (
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
