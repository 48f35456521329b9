import type { App } from '../app.js'
import type { AuthContext } from '../contracts/auth-context.js'
import type { SecretMeta, ViewedSecret, ViewInput } from '../contracts/storage.js'
import { announceFacts } from '../events/announce-facts.js'
import { createEvents } from '../events/durable-events.js'
import { AppError } from '../lib/errors.js'
import { LOCK_MS, lockedError } from './check-password.js'
import { wrongCodeFacts } from './recipient-facts.js'
import { hashRecipientCode } from './recipient-hashes.js'

/**
 * Views a secret with named recipients. Null: absent or locked. Throws AppError `secret.code_required`,
 * `secret.code_wrong` or `secret.locked`.
 */
export async function viewAsRecipient(
  app: App,
  meta: SecretMeta,
  { view, code, caller }: { view: ViewInput; code: string | undefined; caller: AuthContext },
): Promise<ViewedSecret | null> {
  const result = await app.storage.namedRecipients.view({
    ...view,
    codeHash: code === undefined ? null : hashRecipientCode(app.key, meta.id, code),
    lockMs: LOCK_MS,
    toWrongEvents: (attempts) => createEvents(app, wrongCodeFacts(meta, attempts)),
  })
  if (result === null) return null
  if (result.outcome === 'viewed') return result.secret
  if (result.outcome === 'code-missing')
    throw new AppError('secret.code_required', { attemptsLeft: result.attemptsLeft })
  const { attempts } = result
  if (!attempts.counted) throw lockedError(attempts.lockedUntil, app.now())
  await announceFacts(app, wrongCodeFacts(meta, attempts), caller)
  throw new AppError('secret.code_wrong', { attemptsLeft: attempts.attemptsLeft })
}
