import type { App } from '../app.js'
import { cancelUserUploads } from '../attachments/cancel-upload.js'
import type { AuthContext } from '../contracts/auth-context.js'
import type { User } from '../contracts/users.js'
import { createEvents } from '../events/durable-events.js'
import { AppError } from '../lib/errors.js'
import { userDeletedFacts } from './account-facts.js'
import { encryptRecipient } from './deleted-recipient.js'
import { assertOwner, loadSelf } from './verify-caller.js'

/**
 * Deletes the caller's own account with its data and returns its username. Throws AppError `auth.password_wrong`,
 * `auth.proof_required` or `user.last_admin`.
 */
export async function deleteOwnAccount(
  app: App,
  { password }: { password?: string | undefined },
  caller: AuthContext,
): Promise<string> {
  const user = await loadSelf(app, caller)
  await assertOwner(app, user, { password, field: 'password' }, caller)
  await deleteAccount(app, user, caller)
  return user.username
}

/**
 * Deletes an account with its data. The caller checks permissions before. Throws AppError `user.last_admin` or
 * `user.not_found`.
 */
export async function deleteAccount(app: App, user: User, caller: AuthContext): Promise<void> {
  const { id, username } = user
  const effects = createEvents(app, userDeletedFacts(id, encryptRecipient(app.key, user)))
  if (!(await app.storage.users.remove(id, app.now(), effects))) throw new AppError('user.not_found')
  await cancelUserUploads(app, id)
  app.background.cleanup.wipeSoon({ hasFiles: true })
  await app.audit.note({ action: 'user.deleted', caller, subject: username })
  await app.emit('user.deleted', { userId: id })
}
