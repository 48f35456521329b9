/** The lite page: no framework, the same API and the same encryption as the app. */
import '../../styles/lite.css'
import { isChangedAddress } from '../../lib/paths.js'
import { repairAddress } from '../../lib/repair-address.js'
import { site } from '../../lib/site.js'
import { initCreatePage } from './create-secret.js'
import { byId } from './dom.js'
import { initRevealPage } from './reveal-secret.js'

// A page restored from the back/forward cache must not show a secret.
addEventListener('pagehide', () => document.body.replaceChildren())
addEventListener('pageshow', ({ persisted }) => persisted && location.reload())

byId('insecure').hidden = isSecureContext
const address = isChangedAddress(location, site.base) ? repairAddress(location.href, site.base) : null
if (address) history.replaceState(history.state, '', address)
const [, id] = /^\/lite\/([^/]+)\/?$/i.exec(location.pathname.slice(site.base.length)) ?? []
if (id !== undefined) void initRevealPage(decodeURIComponent(id))
else if (site.role === 'all') initCreatePage()
