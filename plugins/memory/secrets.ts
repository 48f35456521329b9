/** What the storage keeps about secrets, in one process: see index.ts. */
import { AppError, type Replay, type Secret, type SecretMeta, type SecretStore, type User } from '#core'
import { PASSWORD_ATTEMPTS } from '#shared/limits'
import type { MemoryAttachments } from './attachments.js'

interface Claim {
  expiresAt: number
  acked: boolean
}

export interface Entry {
  secret: Secret
  claims: Map<string, Claim>
  /** How often wrong passwords have led to a lock since the last right one. */
  locks: number
}

export function secretStore(
  entries: Map<string, Entry>,
  users: Map<string, User>,
  attached: MemoryAttachments,
): SecretStore {
  const replays = new Map<string, Replay>()

  const unexpired = (id: string, now: number): Entry | undefined => {
    const entry = entries.get(id)
    return entry && entry.secret.expiresAt > now ? entry : undefined
  }
  const live = (id: string, now: number): Entry | undefined => {
    const entry = unexpired(id, now)
    return entry && !isUsedUp(entry.secret) ? entry : undefined
  }
  const newestFirst = (now: number): SecretMeta[] =>
    [...entries.keys()]
      .flatMap((id) => live(id, now)?.secret ?? [])
      .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))
      .map(metaOf)

  return {
    async create(secret, now, replay, files = []) {
      const earlier = replay && replays.get(replay.keyHash)
      if (earlier && earlier.expiresAt > now) return earlier.answer
      const isOrphan = secret.ownerId !== null && !users.has(secret.ownerId)
      if (isOrphan || entries.has(secret.id)) throw new AppError('storage.conflict')
      attached.bind(secret, files, now)
      entries.set(secret.id, { secret: { ...secret }, claims: new Map(), locks: 0 })
      if (replay) replays.set(replay.keyHash, { ...replay })
      return null
    },

    async countLive(most, now) {
      return Math.min(most, newestFirst(now).length)
    },

    async replay(keyHash, now) {
      const replay = replays.get(keyHash)
      return replay && replay.expiresAt > now ? replay.answer : null
    },

    async peek(id, now, claimHash) {
      const entry = unexpired(id, now)
      if (!entry) return null
      const claim = claimHash === undefined ? undefined : entry.claims.get(claimHash)
      return !isUsedUp(entry.secret) || isOpen(claim, now) ? metaOf(entry.secret) : null
    },

    async view(id, claimHash, now, graceMs) {
      const entry = unexpired(id, now)
      if (!entry || entry.secret.lockedUntil > now) return null
      const { secret, claims } = entry
      const claim = claims.get(claimHash)
      if (isOpen(claim, now)) return { ...secret, counted: false }
      if (claim?.acked || isUsedUp(secret)) return null
      Object.assign(secret, { views: secret.views + 1, failures: 0, lockedUntil: 0 })
      entry.locks = 0
      claims.set(claimHash, { expiresAt: now + graceMs, acked: false })
      return { ...secret, counted: true }
    },

    async ack(id, claimHash, now) {
      const entry = unexpired(id, now)
      const claim = entry?.claims.get(claimHash)
      if (!entry || !claim) return false
      claim.acked = true
      return isUsedUp(entry.secret) && !hasOpenClaim(entry, now) && entries.delete(id)
    },

    async passwordFailed(id, now, lockMs) {
      const entry = live(id, now)
      if (!entry) return null
      const { secret } = entry
      if (secret.lockedUntil > now) return { counted: false, attemptsLeft: 0, lockedUntil: secret.lockedUntil }
      secret.failures += 1
      if (secret.failures < PASSWORD_ATTEMPTS) {
        return { counted: true, attemptsLeft: PASSWORD_ATTEMPTS - secret.failures, lockedUntil: 0 }
      }
      secret.failures = 0
      secret.lockedUntil = now + lockMs * 2 ** entry.locks
      entry.locks += 1
      return { counted: true, attemptsLeft: 0, lockedUntil: secret.lockedUntil }
    },

    async burn(id, now) {
      if (!live(id, now)) return false
      attached.end(id, now)
      return entries.delete(id)
    },

    async listByOwner(ownerId, { skip, take }, now) {
      return newestFirst(now)
        .filter((secret) => secret.ownerId === ownerId)
        .slice(skip, skip + take)
    },

    async listPublic({ username }, { skip, take }, now) {
      return newestFirst(now)
        .filter((secret) => secret.kind === 'public')
        .map(({ id, title, ownerId, createdAt, expiresAt }) => {
          const owner = ownerId === null ? undefined : users.get(ownerId)
          return { id, title, username: owner?.username ?? null, createdAt, expiresAt }
        })
        .filter((secret) => username === undefined || secret.username === username)
        .slice(skip, skip + take)
    },

    async sweep(now, limit) {
      const due = [...entries.values()]
        .filter((entry) => entry.secret.expiresAt <= now || (isUsedUp(entry.secret) && !hasOpenClaim(entry, now)))
        .slice(0, limit)
      for (const { secret } of due) entries.delete(secret.id)
      for (const { claims } of entries.values()) {
        for (const [hash, claim] of claims) if (!claim.acked && claim.expiresAt <= now) claims.delete(hash)
      }
      for (const [keyHash, { expiresAt }] of replays) if (expiresAt <= now) replays.delete(keyHash)
      return due.map(({ secret }) => ({ id: secret.id, expired: !isUsedUp(secret) }))
    },
  }
}

const metaOf = ({ text, ...meta }: Secret): SecretMeta => meta

export const isUsedUp = ({ preventBurn, maxViews, views }: SecretMeta) =>
  !preventBurn && maxViews !== null && views >= maxViews

const isOpen = (claim: Claim | undefined, now: number) => claim !== undefined && !claim.acked && claim.expiresAt > now

const hasOpenClaim = ({ claims }: Entry, now: number) => [...claims.values()].some((claim) => isOpen(claim, now))
