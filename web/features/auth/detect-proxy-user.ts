/** Asks whom a reverse proxy vouches for. Comes only where there may be one: anywhere else it would be a request for nothing. */
import { api } from '../../lib/api.js'
import { currentLogin, vouchFor } from '../../lib/session/session-store.js'

// Nobody, or no answer: the page is one for visitors, as it was.
if (!currentLogin())
  api.verify().then(
    ({ username }) => vouchFor(username),
    () => {},
  )
