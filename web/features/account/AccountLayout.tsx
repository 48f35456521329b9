import { useLayoutEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { Outlet } from 'react-router'
import { Icon } from '../../components/Icon.js'
import { useAccount } from '../../lib/session/require-session.js'
import { AccountSidebar } from './AccountSidebar.js'
import { useSidebar } from './use-sidebar.js'

const SIDEBAR_ID = 'account-panel'

/** Adds the sidebar of the account pages: beside the page, or behind a button on narrow screens. */
export function AccountLayout() {
  const { t } = useTranslation('account')
  const { role } = useAccount()
  const { isOpen, setOpen, button, sidebar } = useSidebar()
  const targets = usePortalTargets()
  return (
    <>
      {targets &&
        createPortal(
          <button
            ref={button}
            type="button"
            className="button quiet icon-only turning"
            aria-expanded={isOpen}
            aria-controls={SIDEBAR_ID}
            aria-label={t(isOpen ? 'menu.close' : 'menu.open')}
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name={isOpen ? 'close' : 'panel'} />
          </button>,
          targets.button,
        )}
      {targets &&
        createPortal(
          <>
            {isOpen && (
              <button
                type="button"
                className="overlay"
                tabIndex={-1}
                aria-label={t('menu.close')}
                onClick={() => setOpen(false)}
              />
            )}
            <aside ref={sidebar} id={SIDEBAR_ID} className="panel" data-open={isOpen} aria-label={t('menu.label')}>
              <AccountSidebar role={role} onNavigate={() => setOpen(false)} />
            </aside>
          </>,
          targets.menu,
        )}
      <Outlet />
    </>
  )
}

/** The elements of AppLayout for the sidebar and its button, which are outside of `main`. */
function usePortalTargets(): Record<'menu' | 'button', Element> | null {
  const [places, setPlaces] = useState<Record<'menu' | 'button', Element> | null>(null)
  useLayoutEffect(() => {
    const [menu, button] = [document.querySelector('.side'), document.querySelector('.side-button')]
    setPlaces(menu && button && { menu, button })
  }, [])
  return places
}
