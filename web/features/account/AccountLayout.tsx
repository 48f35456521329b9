import { useLayoutEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { Outlet } from 'react-router'
import { Icon } from '../../components/Icon.js'
import { useAccount } from '../../lib/session/require-session.js'
import { Panel } from './AccountSidebar.js'
import { usePanel } from './use-sidebar.js'

const PANEL = 'account-panel'

/** Around every screen of the account area: its menu, beside them or behind a button where there is no room. */
export function AccountFrame() {
  const { t } = useTranslation('account')
  const { role } = useAccount()
  const { isOpen, setOpen, button, panel } = usePanel()
  const places = usePlaces()
  return (
    <>
      {places &&
        createPortal(
          <button
            ref={button}
            type="button"
            className="button quiet icon-only"
            aria-expanded={isOpen}
            aria-controls={PANEL}
            aria-label={t(isOpen ? 'menu.close' : 'menu.open')}
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name={isOpen ? 'close' : 'menu'} />
          </button>,
          places.button,
        )}
      {places &&
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
            <aside ref={panel} id={PANEL} className="panel" data-open={isOpen} aria-label={t('menu.label')}>
              <Panel role={role} onFollow={() => setOpen(false)} />
            </aside>
          </>,
          places.menu,
        )}
      <Outlet />
    </>
  )
}

/** Where the frame of the app keeps room, before and not inside the main part. */
function usePlaces(): Record<'menu' | 'button', Element> | null {
  const [places, setPlaces] = useState<Record<'menu' | 'button', Element> | null>(null)
  useLayoutEffect(() => {
    const [menu, button] = [document.querySelector('.side'), document.querySelector('.side-button')]
    setPlaces(menu && button && { menu, button })
  }, [])
  return places
}
