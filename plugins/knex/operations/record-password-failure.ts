import { isOpen, type PasswordAttempts, type WrongPasswordInput } from '#core'
import { PASSWORD_ATTEMPTS } from '#shared/limits'
import type { BatchableWrite } from '../batching/group-commit.js'
import type { Queries } from '../connection/batch-transaction.js'
import { assertAllChanged, type LockedSecret } from '../queries/lock-secrets.js'
import { insertEvents } from '../queries/new-events.js'

/** Counts a wrong password, and locks the secret after `PASSWORD_ATTEMPTS` of them. Null when the secret is absent. */
export const recordPasswordFailure: BatchableWrite<WrongPasswordInput, PasswordAttempts | null> = {
  secretId: ({ id }) => id,
  keys: ({ id }) => [id],
  byteLength: () => 0,
  async runBatch({ tx, secrets }, inputs) {
    const results: (PasswordAttempts | null)[] = []
    for (const input of inputs) {
      const secret = secrets.get(input.id)
      results.push(secret && isOpen(secret, input.now) ? await countFailure(tx, secret, input) : null)
    }
    return results
  },
}

/** Counts a wrong password or code of a locked row. */
export async function countFailure(
  tx: Queries,
  secret: LockedSecret,
  { now, lockMs, toEvents }: WrongPasswordInput,
): Promise<PasswordAttempts> {
  const { id, locks, lockedUntil } = secret
  if (lockedUntil > now) return { counted: false, attemptsLeft: 0, lockedUntil }
  const failures = secret.failures + 1
  const isLocked = failures >= PASSWORD_ATTEMPTS
  const until = isLocked ? now + lockMs * 2 ** locks : 0
  const changes = isLocked ? { failures: 0, locks: locks + 1, locked_until: until } : { failures }
  assertAllChanged(await tx('secrets').where({ id, failures: secret.failures }).update(changes), [id])
  if (secret.receiptHash !== undefined) {
    const counted = { wrong_passwords: tx.raw('wrong_passwords + 1'), wrong_password_at: now }
    await tx('receipts').where({ hash: secret.receiptHash }).update(counted)
  }
  const attempts = { counted: true, attemptsLeft: isLocked ? 0 : PASSWORD_ATTEMPTS - failures, lockedUntil: until }
  await insertEvents(tx, toEvents?.(attempts) ?? [])
  return attempts
}
