import {
  type ApiToken,
  AppError,
  type Attachment,
  type Counter,
  type EmailVerification,
  type EndedSecret,
  type ExternalIdentity,
  type IdempotencyRecord,
  type OutboxEntry,
  type OutboxEvent,
  type PasswordReset,
  type Receipt,
  type Secret,
  type SecretRequest,
  type Session,
  type Submission,
  type Ticket,
  type User,
  type UserWebhook,
} from '#core'

export interface Claim {
  /** Epoch ms: the end of its grace period. */
  expiresAt: number
  acked: boolean
}

export interface SecretEntry {
  secret: Secret
  /** Claim hash -> claim. */
  claims: Map<string, Claim>
  /** Number of locks caused by wrong passwords since the last view. */
  locks: number
  /** Used up, without open claims and text: kept until its files end, so that it can be burned. */
  isKeptForFiles: boolean
}

export interface AttachmentEntry {
  attachment: Attachment
  /** Position among the files of its secret. */
  position: number
  /** Indexes of the stored parts. */
  parts: Set<number>
}

export interface RequestEntry {
  request: SecretRequest
  submissions: Omit<Submission, 'viewed'>[]
}

export interface SessionEntry {
  session: Session
  /** The token before the last rotation, accepted until `until` (epoch ms). */
  previous: { tokenHash: string; until: number } | null
}

/** Everything the memory storage keeps, except what only one store uses. Keyed by id unless stated otherwise. */
export interface Tables {
  secrets: Map<string, SecretEntry>
  /** Key hash -> record. */
  idempotencyRecords: Map<string, IdempotencyRecord>
  /** Hash -> receipt. */
  receipts: Map<string, Receipt>
  endedSecrets: Map<string, EndedSecret>
  requests: Map<string, RequestEntry>
  attachments: Map<string, AttachmentEntry>
  /** Ticket hash -> ticket. */
  tickets: Map<string, Ticket>
  /** Counter name -> counter of the rate limits and of the upload volume. */
  counters: Map<string, Counter>
  users: Map<string, User>
  /** `identityKey` -> user id. */
  identities: Map<string, string>
  sessions: Map<string, SessionEntry>
  tokens: Map<string, ApiToken>
  /** Hash -> reset. */
  passwordResets: Map<string, PasswordReset>
  /** Hash -> verification. */
  emailVerifications: Map<string, EmailVerification>
  webhooks: Map<string, UserWebhook>
  /** In the order of their commits. */
  outbox: OutboxEntry[]
}

export const createTables = (): Tables => ({
  secrets: new Map(),
  idempotencyRecords: new Map(),
  receipts: new Map(),
  endedSecrets: new Map(),
  requests: new Map(),
  attachments: new Map(),
  tickets: new Map(),
  counters: new Map(),
  users: new Map(),
  identities: new Map(),
  sessions: new Map(),
  tokens: new Map(),
  passwordResets: new Map(),
  emailVerifications: new Map(),
  webhooks: new Map(),
  outbox: [],
})

export function addEvents({ outbox }: Tables, events: OutboxEvent[] = []): void {
  for (const event of events) {
    const state = { state: 'pending', attempts: 0, nextAt: event.createdAt, endedAt: null, result: null } as const
    outbox.push({ ...event, ...state })
  }
}

/** Throws AppError `user.not_found`. */
export function findUserOrThrow({ users }: Tables, id: string): User {
  const user = users.get(id)
  if (!user) throw new AppError('user.not_found')
  return user
}

/** Throws AppError `auth.required` if a session of a user was ended; null: no session. */
export function assertSessionExists({ sessions }: Tables, userId: string, id: string | null): void {
  if (id !== null && sessions.get(id)?.session.userId !== userId) throw new AppError('auth.required')
}

/** Throws AppError `storage.conflict` when a unique value is taken. */
export function assertFree(isTaken: boolean): void {
  if (isTaken) throw new AppError('storage.conflict')
}

export const identityKey = ({ provider, subject }: ExternalIdentity): string => JSON.stringify([provider, subject])

/** Deletes up to `limit` entries that match; returns how many. */
export function deleteMatching<T>(entries: Map<string, T>, matches: (entry: T) => boolean, limit: number): number {
  const matching = [...entries].filter(([, entry]) => matches(entry)).slice(0, limit)
  for (const [key] of matching) entries.delete(key)
  return matching.length
}
