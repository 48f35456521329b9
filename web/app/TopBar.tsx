import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { Icon } from '../components/Icon.js'
import { Link } from '../components/Link.js'
import { paths } from '../lib/paths.js'
import { useSession } from '../lib/session/session-store.js'
import { site } from '../lib/site.js'

export function TopBar() {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const login = useSession()
  const links = [
    ...(login
      ? [{ to: paths.signOut, label: t('frame.sign-out') }]
      : [
          { to: paths.signUp, label: t('frame.sign-up') },
          { to: paths.signIn, label: t('frame.sign-in') },
        ]),
    { to: paths.account, label: t('footer.account') },
    { to: paths.public, label: t('frame.public-list') },
    { to: paths.privacy, label: t('footer.privacy') },
  ]
  const { isOpen, setOpen, button } = useMenu()
  return (
    <header className="top">
      <div>
        {/* For the button of the sidebar. */}
        <div className="side-button" />
        <Link className="logo" to={paths.home} aria-label={t('frame.home')}>
          {site.logo ? <img src={site.logo} alt="" /> : <Icon name="mayfly" />}
          <span aria-hidden="true">{t('product')}</span>
        </Link>
        {site.role === 'all' && (
          <>
            <button
              ref={button}
              type="button"
              className="button quiet icon-only menu-button"
              aria-expanded={isOpen}
              aria-controls="main-links"
              aria-label={t(isOpen ? 'frame.close-menu' : 'frame.open-menu')}
              onClick={() => setOpen(!isOpen)}
            >
              <Icon name={isOpen ? 'close' : 'menu'} />
            </button>
            <nav aria-label={t('frame.main')}>
              {/* biome-ignore lint/a11y/useKeyWithClickEvents: for clicks beside the links; Escape also closes the menu */}
              <ul id="main-links" data-open={isOpen} onClick={() => setOpen(false)}>
                {links.map(({ to, label }) => (
                  <li key={to}>
                    <Link to={to} aria-current={pathname === to ? 'page' : undefined}>
                      {label}
                    </Link>
                  </li>
                ))}
              </ul>
            </nav>
          </>
        )}
      </div>
    </header>
  )
}

/** The menu of narrow screens. Escape closes it and returns the focus to its button. */
function useMenu() {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!isOpen) return
    const closeOnEscape = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return
      setOpen(false)
      button.current?.focus()
    }
    addEventListener('keydown', closeOnEscape)
    return () => removeEventListener('keydown', closeOnEscape)
  }, [isOpen])
  return { isOpen, setOpen, button }
}
