import type { App } from '../app.js'
import type { AuthContext } from '../contracts/auth-context.js'
import { issueDeviceCookie } from './known-devices.js'
import { loadSelf } from './verify-caller.js'

/**
 * Forgets all known devices of the caller. Returns the cookie that makes the browser of the request known again. A
 * lock-out and a new password forget them too: they raise the security epoch. Throws AppError `auth.required`.
 */
export async function forgetDevices(app: App, caller: AuthContext): Promise<string> {
  const user = await loadSelf(app, caller)
  await app.storage.users.update(user.id, { devicesSince: app.now() })
  await app.audit.note({ action: 'account.forgot_devices', caller })
  return issueDeviceCookie(app, user)
}
