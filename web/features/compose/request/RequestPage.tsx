import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { Lazy } from '../../../components/Lazy.js'
import { Link } from '../../../components/Link.js'
import { Page } from '../../../components/Page.js'
import { paths } from '../../../lib/paths.js'
import { useSession } from '../../../lib/session/session-store.js'
import { useSettings } from '../../../lib/settings.js'
import { ComposeTabs } from '../ComposePage.js'
import { createdPart } from './created-part.js'
import { createdRequests } from './created-requests.js'
import { RequestForm } from './RequestForm.js'

// A page restored from the back/forward cache must not show a collect link.
addEventListener('pagehide', () => createdRequests.clear())

/**
 * The form, then the two links. Each request has its own history entry: Back leads to an empty form, Forward to the
 * links.
 */
export default function RequestPage() {
  const navigate = useNavigate()
  const { state } = useLocation()
  const { requests } = useSettings().settings
  const [formKey, setFormKey] = useState(0)
  const shown = createdRequests.get(state?.created)
  if (shown) {
    return (
      <Lazy part={createdPart}>
        {({ CreatedRequestPage }) => (
          <CreatedRequestPage key={shown.id} request={shown} onAnother={() => navigate(paths.request)} />
        )}
      </Lazy>
    )
  }
  if (!requests) return <Refused />
  return (
    <RequestForm
      key={formKey}
      onCreated={(created) => {
        createdRequests.set(created.id, created)
        setFormKey((key) => key + 1)
        navigate(paths.request, { state: { created: created.id } })
      }}
    />
  )
}

/** For callers who may not create requests. */
function Refused() {
  const { t } = useTranslation('requests')
  const isSignedIn = useSession() !== null
  const { deniedByGroups, who_can_request: who } = useSettings().settings
  const isOff = who === 'none' || who === 'admins'
  const forUsers = deniedByGroups ? 'auth.not_creator' : isOff ? 'settings.requests_disabled' : 'settings.policy'
  return (
    <Page heading={t('compose:request')} lede={t('create.lede')}>
      <ComposeTabs />
      <div className="card">
        <p>{t(`common:errors.${isSignedIn ? forUsers : 'auth.required'}`)}</p>
        <p className="actions">
          {isSignedIn ? (
            <Link className="button" to={paths.home}>
              {t('common:share')}
            </Link>
          ) : (
            <Link className="button primary" to={`${paths.signIn}?to=${encodeURIComponent(paths.request)}`}>
              {t('common:frame.sign-in')}
            </Link>
          )}
        </p>
      </div>
    </Page>
  )
}
