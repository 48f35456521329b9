/** Views of secrets with named recipients: the code is checked and used up in the transaction that counts the view. */
import { timingSafeEqual } from 'node:crypto'
import { type RecipientView, type RecipientViewInput, viewsLeft } from '#core'
import { PASSWORD_ATTEMPTS } from '#shared/limits'
import type { BatchableWrite, BatchTransaction } from '../batching/group-commit.js'
import { assertAllChanged, type LockedSecret } from '../queries/lock-secrets.js'
import { lockNamedRecipients, type StoredRecipient } from '../queries/named-recipients.js'
import { countFailure } from './record-password-failure.js'
import { type CheckedView, mayView, readClaims, viewSecret } from './view-secret.js'

export const viewAsRecipient: BatchableWrite<RecipientViewInput, RecipientView | null> = {
  secretId: ({ id }) => id,
  readsText: true,
  keys: ({ id }) => [id],
  byteLength: () => 0,
  async runBatch(batch, inputs) {
    const results: (RecipientView | null)[] = []
    for (const input of inputs) results.push(await viewOne(batch, input))
    return results
  },
}

async function viewOne(batch: BatchTransaction, input: RecipientViewInput): Promise<RecipientView | null> {
  const { tx, secrets } = batch
  const { id, now, lockMs, codeHash, toWrongEvents } = input
  const secret = secrets.get(id)
  const claim = (await readClaims(batch, [input])).get(id)
  // An open claim has already used a code.
  if (claim === 'open') return view(batch, input)
  if (!secret || !mayView({ ...input, recipient: 0 }, secret, claim)) return null
  if (codeHash === null) return { outcome: 'code-missing', attemptsLeft: PASSWORD_ATTEMPTS - secret.failures }
  const recipients = await lockNamedRecipients(tx, id)
  const recipient = recipients.find((each) => hasCode(each, codeHash, now))
  if (!recipient) {
    const attempts = await countFailure(tx, secret, { id, now, lockMs, toEvents: toWrongEvents })
    return { outcome: 'code-wrong', attempts }
  }
  if (!hasViewFor(recipient, secret, recipients)) return null
  const viewed = await view(batch, { ...input, recipient: recipient.number })
  if (viewed) await consumeCode(batch, id, recipient)
  return viewed
}

async function view(batch: BatchTransaction, input: CheckedView): Promise<RecipientView | null> {
  const [secret] = await viewSecret.runBatch(batch, [input])
  return secret ? { outcome: 'viewed', secret } : null
}

function hasCode(recipient: StoredRecipient, codeHash: string, now: number): boolean {
  if (recipient.codeHash === null || recipient.codeExpiresAt <= now) return false
  const [expected, actual] = [Buffer.from(recipient.codeHash), Buffer.from(codeHash)]
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}

/** The views that other recipients have not used yet are reserved for them. */
function hasViewFor(recipient: StoredRecipient, secret: LockedSecret, recipients: StoredRecipient[]): boolean {
  const left = viewsLeft(secret)
  return recipient.views === 0 || left === null || left > recipients.filter(({ views }) => views === 0).length
}

async function consumeCode(
  { tx }: BatchTransaction,
  id: string,
  { number, codeHash, views }: StoredRecipient,
): Promise<void> {
  const used = { code_hash: null, code_expires_at: 0, views: views + 1 }
  const row = { secret_id: id, number, code_hash: codeHash }
  assertAllChanged(await tx('named_recipients').where(row).update(used), [id])
}
