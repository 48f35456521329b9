/** The whole client on a few screens of code: no framework, the same calls and the same sealing as the app. */
import '../../styles/lite.css'
import { site } from '../../lib/site.js'
import { initCreatePage } from './create-secret.js'
import { byId } from './dom.js'
import { initRevealPage } from './reveal-secret.js'

// A page that comes back out of the browser's cache must not show what was on it.
addEventListener('pagehide', () => document.body.replaceChildren())
addEventListener('pageshow', ({ persisted }) => persisted && location.reload())

byId('insecure').hidden = isSecureContext
const [, id] = /^\/lite\/([^/]+)\/?$/i.exec(location.pathname.slice(site.base.length)) ?? []
if (id === undefined) initCreatePage()
else void initRevealPage(decodeURIComponent(id))
