import type { DeletedSecret, Secret, SecretMeta, SecretStore, ViewedSecret } from '#core'
import {
  AppError,
  type Binding,
  type IdempotencyRecord,
  isOpen,
  isUsedUp,
  type OutboxEvent,
  type Page,
  type PasswordAttempts,
  type PublicSecret,
  type SecretLimits,
  viewsLeft,
} from '#core'
import { PASSWORD_ATTEMPTS } from '#shared/limits'
import { attachFiles, expireFiles, hasLiveFiles } from './attachment-store.js'
import { recordEnd, recordLastView } from './ended-secret-store.js'
import { countWrongPassword, createReceipt, endReceipt, findReceipt, recordView } from './receipt-store.js'
import { addEvents, type Claim, type SecretEntry, type Tables } from './tables.js'

/** Each operation is synchronous, and therefore atomic: see index.ts. */
export function createSecretStore(tables: Tables): SecretStore {
  return {
    async create(secret, now, record, files, events) {
      const earlier = createSecret(tables, secret, now, record, files)
      if (earlier === null) addEvents(tables, events)
      return earlier
    },
    findIdempotencyRecord: async (keyHash, now) => findRecord(tables, keyHash, now)?.response ?? null,
    peek: async (id, now, claimHash) => peekSecret(tables, id, now, claimHash),
    async view(id, claimHash, now, graceMs, authorize = () => true, toEvents = () => [], reader, recordsEnd = false) {
      const viewed = viewSecret(tables, { id, claimHash, now, graceMs, authorize })
      if (viewed?.counted) {
        recordView(tables, viewed, now, reader)
        if (recordsEnd) recordLastView(tables, viewed, now)
        addEvents(tables, toEvents(toMeta(viewed)))
      }
      return viewed
    },
    ack: async (id, claimHash, now) => ackSecret(tables, id, claimHash, now),
    async recordWrongPassword(id, now, lockMs, toEvents = () => []) {
      const attempts = recordPasswordFailure(tables, id, now, lockMs)
      if (attempts?.counted) addEvents(tables, toEvents(attempts))
      return attempts
    },
    peekBurnable: async (id, now) => peekBurnable(tables, id, now),
    async burn(id, now, events, recordsEnd = false) {
      const isBurned = burnSecret(tables, id, now, recordsEnd)
      if (isBurned) addEvents(tables, events)
      return isBurned
    },
    changeLimits: async (id, now, from, to) => changeLimits(tables, id, now, from, to),
    listByOwner: async (ownerId, page, now) => listByOwner(tables, ownerId, page, now),
    listPublic: async ({ username }, page, now) => listPublic(tables, username, page, now),
    countLive: async (max, now) => Math.min(max, listNewestFirst(tables, now).length),
    deleteExpired: async (now, limit, toEvents, recordsEnd) =>
      deleteExpired(tables, { now, limit, toEvents, recordsEnd }),
  }
}

/** As `SecretStore.create`. */
export function createSecret(
  tables: Tables,
  secret: Secret,
  now: number,
  record: IdempotencyRecord | undefined,
  files: Binding[] = [],
): string | null {
  const earlier = record && findRecord(tables, record.keyHash, now)
  if (earlier) return earlier.response
  const isOrphan = secret.ownerId !== null && !tables.users.has(secret.ownerId)
  if (isOrphan || tables.secrets.has(secret.id)) throw new AppError('storage.conflict')
  attachFiles(tables, secret, files, now)
  tables.secrets.set(secret.id, { secret: { ...secret }, claims: new Map(), locks: 0, isKeptForFiles: false })
  createReceipt(tables, secret)
  if (record) tables.idempotencyRecords.set(record.keyHash, { ...record })
  return null
}

function peekSecret(tables: Tables, id: string, now: number, claimHash: string | undefined): SecretMeta | null {
  const entry = findUnexpired(tables, id, now)
  if (!entry) return null
  const claim = claimHash === undefined ? undefined : entry.claims.get(claimHash)
  return !isUsedUp(entry.secret) || isOpenClaim(claim, now) ? toMeta(entry.secret) : null
}

interface ViewInput {
  id: string
  claimHash: string
  now: number
  graceMs: number
  authorize(secret: SecretMeta): boolean
}

function viewSecret(tables: Tables, { id, claimHash, now, graceMs, authorize }: ViewInput): ViewedSecret | null {
  const entry = findUnexpired(tables, id, now)
  if (!entry) return null
  const { secret, claims } = entry
  const claim = claims.get(claimHash)
  if (isUsedUp(secret) && !isOpenClaim(claim, now)) return null
  if (!authorize(toMeta(secret)) || secret.lockedUntil > now) return null
  if (isOpenClaim(claim, now)) return { ...secret, counted: false }
  if (claim?.acked) return null
  Object.assign(secret, { views: secret.views + 1, failures: 0, lockedUntil: 0 })
  entry.locks = 0
  claims.set(claimHash, { expiresAt: now + graceMs, acked: false })
  return { ...secret, counted: true }
}

function ackSecret(tables: Tables, id: string, claimHash: string, now: number): boolean {
  const entry = findUnexpired(tables, id, now)
  const claim = entry?.claims.get(claimHash)
  if (!entry || !claim) return false
  claim.acked = true
  return isUsedUp(entry.secret) && !hasOpenClaim(entry, now) && deleteEntry(tables, entry, now)
}

function recordPasswordFailure(tables: Tables, id: string, now: number, lockMs: number): PasswordAttempts | null {
  const entry = findUsable(tables, id, now)
  if (!entry) return null
  const { secret } = entry
  if (secret.lockedUntil > now) return { counted: false, attemptsLeft: 0, lockedUntil: secret.lockedUntil }
  countWrongPassword(findReceipt(tables, secret), now)
  secret.failures += 1
  if (secret.failures < PASSWORD_ATTEMPTS) {
    return { counted: true, attemptsLeft: PASSWORD_ATTEMPTS - secret.failures, lockedUntil: 0 }
  }
  secret.failures = 0
  secret.lockedUntil = now + lockMs * 2 ** entry.locks
  entry.locks += 1
  return { counted: true, attemptsLeft: 0, lockedUntil: secret.lockedUntil }
}

function peekBurnable(tables: Tables, id: string, now: number): SecretMeta | null {
  const entry = findUnexpired(tables, id, now)
  if (!entry) return null
  const isBurnable = !isUsedUp(entry.secret) || hasOpenClaim(entry, now) || hasLiveFiles(tables, id, now)
  return isBurnable ? toMeta(entry.secret) : null
}

function burnSecret(tables: Tables, id: string, now: number, recordsEnd: boolean): boolean {
  const burnable = peekBurnable(tables, id, now)
  if (!burnable) return false
  endReceipt(tables, burnable, 'burned', now)
  if (recordsEnd) recordEnd(tables, burnable, 'burned', now)
  expireFiles(tables, id, now)
  return tables.secrets.delete(id)
}

function changeLimits(tables: Tables, id: string, now: number, from: SecretLimits, to: SecretLimits): boolean {
  const secret = findUsable(tables, id, now)?.secret
  if (!secret || secret.views > 0) return false
  const { maxViews, expiresAt, allowedIp } = secret
  if (maxViews !== from.maxViews || expiresAt !== from.expiresAt || allowedIp !== from.allowedIp) return false
  Object.assign(secret, { maxViews: to.maxViews, expiresAt: to.expiresAt, allowedIp: to.allowedIp })
  const receipt = findReceipt(tables, secret)
  if (receipt) Object.assign(receipt, { maxViews: viewsLeft(secret), expiresAt: to.expiresAt })
  expireFiles(tables, id, to.expiresAt)
  return true
}

function listByOwner(tables: Tables, ownerId: string, { skip, take }: Page, now: number): SecretMeta[] {
  return listNewestFirst(tables, now)
    .filter((secret) => secret.ownerId === ownerId)
    .slice(skip, skip + take)
}

function listPublic(tables: Tables, username: string | undefined, { skip, take }: Page, now: number): PublicSecret[] {
  return listNewestFirst(tables, now)
    .filter((secret) => secret.kind === 'public')
    .map(({ id, title, ownerId, createdAt, expiresAt }) => {
      const owner = ownerId === null ? undefined : tables.users.get(ownerId)
      return { id, title, username: owner?.username ?? null, createdAt, expiresAt }
    })
    .filter((secret) => username === undefined || secret.username === username)
    .slice(skip, skip + take)
}

/** True if it deleted the text: while the secret has files, its other fields remain, so that it can be burned. */
function deleteEntry(tables: Tables, entry: SecretEntry, now: number): boolean {
  const { id } = entry.secret
  const hadText = !entry.isKeptForFiles
  if (entry.secret.expiresAt > now && hasLiveFiles(tables, id, now)) {
    entry.isKeptForFiles = true
    entry.secret.text = ''
  } else tables.secrets.delete(id)
  return hadText
}

interface Deletion {
  now: number
  limit: number
  toEvents: ((secret: SecretMeta) => OutboxEvent[]) | undefined
  recordsEnd: boolean | undefined
}

function deleteExpired(tables: Tables, { now, limit, toEvents, recordsEnd }: Deletion): DeletedSecret[] {
  const { secrets, idempotencyRecords } = tables
  const isDue = (entry: SecretEntry) => {
    if (entry.secret.expiresAt <= now) return true
    if (entry.isKeptForFiles) return !hasLiveFiles(tables, entry.secret.id, now)
    return isUsedUp(entry.secret) && !hasOpenClaim(entry, now)
  }
  const due = [...secrets.values()].filter(isDue).slice(0, limit)
  for (const entry of due) {
    deleteEntry(tables, entry, now)
    endReceipt(tables, entry.secret, 'expired', entry.secret.expiresAt)
    if (recordsEnd) recordEnd(tables, entry.secret, 'expired', entry.secret.expiresAt)
    if (toEvents && !isUsedUp(entry.secret)) addEvents(tables, toEvents(toMeta(entry.secret)))
  }
  for (const { claims } of secrets.values()) {
    for (const [hash, claim] of claims) if (!claim.acked && claim.expiresAt <= now) claims.delete(hash)
  }
  for (const [keyHash, { expiresAt }] of idempotencyRecords) if (expiresAt <= now) idempotencyRecords.delete(keyHash)
  return due.map(({ secret }) => ({ id: secret.id, expired: !isUsedUp(secret) }))
}

/** Returns a live record. */
export function findRecord({ idempotencyRecords }: Tables, keyHash: string, now: number): IdempotencyRecord | null {
  const record = idempotencyRecords.get(keyHash)
  return record && record.expiresAt > now ? record : null
}

function findUnexpired({ secrets }: Tables, id: string, now: number): SecretEntry | undefined {
  const entry = secrets.get(id)
  return entry && entry.secret.expiresAt > now ? entry : undefined
}

/** Neither expired nor used up. */
function findUsable({ secrets }: Tables, id: string, now: number): SecretEntry | undefined {
  const entry = secrets.get(id)
  return entry && isOpen(entry.secret, now) ? entry : undefined
}

function listNewestFirst(tables: Tables, now: number): SecretMeta[] {
  return [...tables.secrets.keys()]
    .flatMap((id) => findUsable(tables, id, now)?.secret ?? [])
    .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))
    .map(toMeta)
}

const toMeta = ({ text, ...meta }: Secret): SecretMeta => meta

const isOpenClaim = (claim: Claim | undefined, now: number): boolean =>
  claim !== undefined && !claim.acked && claim.expiresAt > now

const hasOpenClaim = ({ claims }: SecretEntry, now: number): boolean =>
  [...claims.values()].some((claim) => isOpenClaim(claim, now))
