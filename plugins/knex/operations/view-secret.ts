/**
 * The main guarantee of the product: with any number of concurrent callers, a secret is viewed at most `maxViews`
 * times.
 */
import { isUsedUp, type Secret, type SecretMeta, type ViewedSecret, type ViewInput } from '#core'
import type { RowOf } from '#migrations'
import type { BatchableWrite, BatchTransaction } from '../batching/group-commit.js'
import { runAll } from '../connection/batch-transaction.js'
import type { ViewChange } from '../queries/batch-statements.js'
import { assertAllChanged, type LockedSecret, toLocked } from '../queries/lock-secrets.js'
import { toNewEventRows } from '../queries/new-events.js'
import { type End, insertEnds, toLastViewRows } from '../queries/record-ends.js'
import { matchesClaims } from '../queries/secret-conditions.js'
import type { FirstView, SingleStatements } from '../queries/single-statements.js'
import { recordReceiptViews } from '../queries/write-receipts.js'
import type { Row } from '../rows/tables.js'

/** `recipient`: number of the named recipient whose code is right. */
export type CheckedView = ViewInput & { recipient?: number }

/** `open`: viewed again without counting. `acked`: never viewed again. `expired`: counts as a new claim. */
type ClaimState = 'new' | 'open' | 'acked' | 'expired'

export const viewSecret: BatchableWrite<CheckedView, ViewedSecret | null> = {
  secretId: ({ id }) => id,
  readsText: true,
  keys: ({ id }) => [id],
  byteLength: () => 0,
  runAtOnce: viewAtOnce,
  async runBatch(batch, inputs) {
    const { secrets } = batch
    const claims = await readClaims(batch, inputs)
    const allowed = inputs.filter((input) => mayView(input, secrets.get(input.id), claims.get(input.id)))
    const counted = allowed.filter(({ id }) => COUNTABLE.includes(claims.get(id) ?? 'new'))
    await countViews(batch, counted, claims)
    return inputs.map((input) => {
      const secret = secrets.get(input.id)
      if (!secret) return null
      if (counted.includes(input)) return toCounted(secret, input)
      const isRepeated = allowed.includes(input) && claims.get(input.id) === 'open'
      return isRepeated ? toViewed(secret, {}, false) : null
    })
  },
}

/**
 * Decides first views from secrets that are not locked. The statement that counts them and returns their texts fails if
 * a secret has changed meanwhile. Null: a secret has claims or a receipt, or its end is recorded.
 */
async function viewAtOnce(single: SingleStatements, inputs: CheckedView[]): Promise<(ViewedSecret | null)[] | null> {
  if (inputs.some(({ read }) => read && needsTransaction(read))) return null
  const { secrets, allowed } = await findViewable(single, inputs)
  if ([...secrets.values()].some(needsTransaction)) return null
  if (toEndRows([...allowed], secrets).length > 0) return null
  const views = [...allowed].map((input) => toFirstView(input, secrets.get(input.id) as LockedSecret))
  const rows = views.length > 0 ? await single.countFirstViews(views) : []
  for (const { id, text } of rows) Object.assign(secrets.get(id) as LockedSecret, { text: text ?? '' })
  return inputs.map((input) => (allowed.has(input) ? toCounted(secrets.get(input.id) as LockedSecret, input) : null))
}

/** Stays true when it is true once. */
const needsTransaction = ({ views, receiptHash }: SecretMeta) => views > 0 || receiptHash !== undefined

/**
 * Reads secrets without a lock, except a single secret that the caller has read and that allowed a view then. A batch
 * of several secrets reads all of them: meanwhile, other requests join the next batch, which saves more than the read
 * costs.
 */
async function findViewable(single: SingleStatements, inputs: CheckedView[]) {
  const known = inputs.length === 1 ? inputs : []
  const secrets = new Map(known.flatMap(({ id, read }) => (read ? [[id, toUnread(read)] as const] : [])))
  const allowed = new Set(inputs.filter((input) => mayView(input, secrets.get(input.id))))
  const others = inputs.filter((input) => !allowed.has(input))
  if (others.length === 0) return { secrets, allowed }
  const current = toLocked(await single.read(others.map(({ id }) => id)))
  for (const input of others) {
    const secret = current.get(input.id)
    if (secret) secrets.set(input.id, secret)
    else secrets.delete(input.id)
    if (mayView(input, secret)) allowed.add(input)
  }
  return { secrets, allowed }
}

const toUnread = (meta: SecretMeta): LockedSecret => ({ ...meta, text: '', locks: 0 })

const toFirstView = (input: CheckedView, secret: LockedSecret): FirstView => ({
  ...toViewChange(input, secret),
  claim_hash: input.claimHash,
  claim_ends_at: input.now + input.graceMs,
  read_expires_at: secret.expiresAt,
  read_locked_until: secret.lockedUntil,
  read_max_views: secret.maxViews,
  read_allowed_ip: secret.allowedIp,
  events: createEvents(input, secret).map(({ events }) => events),
})

const COUNTABLE: ClaimState[] = ['new', 'expired']

/** Calls `authorize` with every secret that exists for this claim, also with a locked secret. */
export function mayView(input: CheckedView, secret: LockedSecret | undefined, claim: ClaimState = 'new'): boolean {
  const { now, authorize, recipient } = input
  if (!secret || secret.expiresAt <= now) return false
  if (claim !== 'open' && (isUsedUp(secret) || (secret.recipients && recipient === undefined))) return false
  const { text: _, locks: __, ...meta } = secret
  return (authorize?.(meta) ?? true) && secret.lockedUntil <= now
}

const toViewed = ({ locks: _, ...secret }: LockedSecret, changes: Partial<Secret>, counted: boolean): ViewedSecret => ({
  ...secret,
  ...changes,
  counted,
})

const toCounted = (secret: LockedSecret, { recipient }: CheckedView): ViewedSecret => {
  const viewed = toViewed(secret, { views: secret.views + 1, failures: 0, lockedUntil: 0 }, true)
  return recipient === undefined ? viewed : { ...viewed, recipient }
}

/** The states of the known claims, by the id of their secret. */
export async function readClaims(
  { tx, secrets }: BatchTransaction,
  inputs: CheckedView[],
): Promise<Map<string, ClaimState>> {
  // Every claim has counted a view, so a secret without views does not have claims.
  const viewedBefore = inputs.filter(({ id }) => (secrets.get(id)?.views ?? 0) > 0)
  if (viewedBefore.length === 0) return new Map()
  const nowOf = new Map(viewedBefore.map(({ id, now }) => [id, now]))
  const rows: Row[] = await tx('claims').where(matchesClaims(viewedBefore))
  return new Map(
    rows.map(({ secret_id: id, acked, expires_at: expiresAt }) => {
      if (acked) return [id, 'acked']
      return [id, Number(expiresAt) > (nowOf.get(id) ?? 0) ? 'open' : 'expired']
    }),
  )
}

/** Counts views of different, locked secrets and stores their claims. */
async function countViews(
  { tx, statements, secrets }: BatchTransaction,
  inputs: CheckedView[],
  claims: Map<string, ClaimState>,
): Promise<void> {
  if (inputs.length === 0) return
  const expired = inputs.filter(({ id }) => claims.get(id) === 'expired')
  const events = inputs.flatMap((input) => createEvents(input, secrets.get(input.id) as LockedSecret))
  const ends = toEndRows(inputs, secrets)
  const changes = inputs.map((input) => toViewChange(input, secrets.get(input.id) as Secret))
  if (expired.length > 0) await tx('claims').where(matchesClaims(expired)).delete()
  const [counted] = await runAll(tx, [
    statements.countViews(changes),
    ...statements.insert('claims', inputs.map(toClaimRow)),
    ...statements.insert('new_events', events),
    ...(ends.length > 0 ? [insertEnds(tx, ends).toSQL()] : []),
  ])
  // The row locks make its condition redundant. It stays as a second safeguard: even without locks, there are no extra
  // views.
  assertAllChanged(counted as number, inputs)
  await recordReceiptViews(
    tx,
    inputs.map(({ id, now, reader, recipient }) => {
      return { secret: secrets.get(id) as LockedSecret, now, reader, recipient: recipient ?? null }
    }),
  )
}

const createEvents = ({ toEvents, recipient }: CheckedView, secret: LockedSecret): Row[] =>
  toNewEventRows(toEvents?.(toViewedMeta(secret), recipient ?? null) ?? [])

const toEndRows = (inputs: CheckedView[], secrets: BatchTransaction['secrets']): Row[] =>
  toLastViewRows(inputs.filter(({ recordsEnd }) => recordsEnd).map((input) => toView(input, secrets)))

const toView = ({ id, now }: CheckedView, secrets: BatchTransaction['secrets']): End => ({
  secret: toViewedMeta(secrets.get(id) as LockedSecret),
  at: now,
})

/** The secret after its view. */
function toViewedMeta({ text: _, locks: __, ...meta }: LockedSecret): SecretMeta {
  return { ...meta, views: meta.views + 1, failures: 0, lockedUntil: 0 }
}

/** `cleanup_at`: when the cleanup may delete the secret after this view. */
function toViewChange({ id, now, graceMs }: CheckedView, secret: Secret): ViewChange {
  const isLastView = isUsedUp({ ...secret, views: secret.views + 1 })
  return { id, cleanup_at: isLastView ? Math.min(secret.expiresAt, now + graceMs) : secret.expiresAt }
}

const toClaimRow = ({ id, claimHash, now, graceMs }: CheckedView): RowOf<'claims'> => ({
  secret_id: id,
  claim_hash: claimHash,
  expires_at: now + graceMs,
  acked: false,
})
