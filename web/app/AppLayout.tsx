import { type MouseEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Outlet, useNavigation } from 'react-router'
import { Notice } from '../components/Notice.js'
import { useDelayed } from '../components/use-delayed.js'
import { useSettings } from '../lib/settings.js'
import { Footer } from './Footer.js'
import { SessionReminder } from './SessionReminder.js'
import { TopBar } from './TopBar.js'
import { useScrollRestoration } from './use-scroll-restoration.js'

const PENDING_AFTER_MS = 150

/** The frame of every page. */
export function AppLayout() {
  const { t } = useTranslation()
  const main = useRef<HTMLElement>(null)
  const isPending = useDelayed(useNavigation().state !== 'idle', PENDING_AFTER_MS)
  useScrollRestoration()
  const skip = (event: MouseEvent) => {
    // Following the link would replace the fragment, which may be the key of a secret.
    event.preventDefault()
    main.current?.focus()
  }
  return (
    <>
      {/* biome-ignore lint/a11y/useValidAnchor: it does lead to the main part */}
      <a className="skip" href="#main" onClick={skip}>
        {t('frame.skip')}
      </a>
      <TopBar />
      {/* For the sidebar of the account pages. */}
      <div className="side" />
      {isPending && <div className="pending" aria-hidden="true" />}
      <main id="main" ref={main} tabIndex={-1} aria-busy={isPending}>
        <AppNotices />
        <Outlet />
      </main>
      <SessionReminder />
      <Footer />
    </>
  )
}

function AppNotices() {
  const { t } = useTranslation()
  const { status, retry, isRetrying } = useSettings()
  return (
    <>
      {!isSecureContext && (
        <div className="page">
          <Notice kind="warn" heading={t('frame.insecure.heading')}>
            {t('frame.insecure.explanation')}
          </Notice>
        </div>
      )}
      {status === 'error' && (
        <div className="page">
          <Notice kind="bad" role="alert" heading={t('frame.settings-failed')}>
            <button type="button" className="button" aria-disabled={isRetrying} onClick={retry}>
              {t(isRetrying ? 'frame.loading' : 'retry')}
            </button>
          </Notice>
        </div>
      )}
    </>
  )
}
