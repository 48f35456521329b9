/** The whole client on a few screens of code: no framework, the same calls and the same sealing as the app. */
import '../../styles/lite.css'
import { site } from '../../lib/site.js'
import { startCreating } from './create-secret.js'
import { place } from './dom.js'
import { startOpening } from './reveal-secret.js'

// A page that comes back out of the browser's cache must not show what was on it.
addEventListener('pagehide', () => document.body.replaceChildren())
addEventListener('pageshow', ({ persisted }) => persisted && location.reload())

place('insecure').hidden = isSecureContext
const [, id] = /^\/lite\/([^/]+)\/?$/i.exec(location.pathname.slice(site.base.length)) ?? []
if (id === undefined) startCreating()
else void startOpening(decodeURIComponent(id))
