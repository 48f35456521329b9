import { ApiError } from '#shared/client/client'
import { api } from '../../lib/api.js'
import { endSession } from '../../lib/session/end-session.js'
import { sessionStore } from '../../lib/session/session-store.js'

/** The server accepts less from visitors: the session of the user may have ended since the page was loaded. */
export async function endExpiredSession(): Promise<void> {
  if (sessionStore.current() === null) return
  await api.verify().catch((error) => {
    if (error instanceof ApiError && error.status === 401) endSession()
  })
}
