/** Fixtures. Every text contains characters outside ASCII and outside the BMP, which some engines lose by default. */
import { randomBytes } from 'node:crypto'
import type { Attachment } from '../../contracts/attachments.js'
import type { AuditEntry } from '../../contracts/audit.js'
import type { DeviceLogin } from '../../contracts/device-logins.js'
import type { Authenticator, Passkey } from '../../contracts/factors.js'
import type { OutboxEvent } from '../../contracts/outbox.js'
import type { SecretRequest } from '../../contracts/requests.js'
import type { Session } from '../../contracts/sessions.js'
import type { Secret } from '../../contracts/storage.js'
import type { ApiToken } from '../../contracts/tokens.js'
import type { UserWebhook } from '../../contracts/user-webhooks.js'
import type { ExternalIdentity, User } from '../../contracts/users.js'
import type { EpochMs } from '../../shared/epoch-ms.js'

/** Start time of tests: after 2^31 seconds and far from today. */
export const T0: EpochMs = 3_000_000_000_000
export const MINUTE = 60_000
export const DAY = 24 * 60 * MINUTE

/** A random id: 22 base64url characters. */
export const anId = (): string => randomBytes(16).toString('base64url')

/** A random hash: 64 hex characters. */
export const aHash = (): string => randomBytes(32).toString('hex')

/** A sealed secret with one view, created at `T0`, that expires after ten minutes. */
export function aSecret(differing: Partial<Secret> = {}): Secret {
  return {
    id: anId(),
    kind: 'sealed',
    title: null,
    text: 'Schlüssel ☃ 鍵 🗝 end',
    accessHash: aHash(),
    passwordHash: null,
    burnHash: aHash(),
    ownerId: null,
    allowedIp: null,
    maxViews: 1,
    views: 0,
    failures: 0,
    preventBurn: false,
    notify: false,
    createdAt: T0,
    expiresAt: T0 + 10 * MINUTE,
    files: 0,
    lockedUntil: 0,
    ...differing,
  }
}

/** A request of a visitor for one submission, created at `T0`, that expires after ten minutes. */
export const aRequest = (differing: Partial<SecretRequest> = {}): SecretRequest => ({
  id: anId(),
  ownerId: null,
  recipient: `age1pq1${'q'.repeat(1952)}`,
  note: null,
  submitHash: aHash(),
  collectHash: aHash(),
  maxSubmissions: 1,
  submissions: 0,
  maxBytes: null,
  allowFiles: true,
  allowedIp: null,
  notify: false,
  createdAt: T0,
  expiresAt: T0 + 10 * MINUTE,
  ...differing,
})

/** An event for the subscriber `hook` with a new subject, created at `T0`. */
export function anEvent(differing: Partial<OutboxEvent> = {}): OutboxEvent {
  const id = `evt_${anId()}`
  const data = JSON.stringify({ secretId: 'ü ☃' })
  return { id, subscriber: 'hook', subject: id, type: 'secret.created', data, createdAt: T0, ...differing }
}

/** A public secret of a visitor, without a view limit. */
export function aPublicSecret(differing: Partial<Secret> = {}): Secret {
  return aSecret({
    kind: 'public',
    title: 'Überschrift ☃ 🗝',
    text: 'für alle ☃',
    accessHash: null,
    maxViews: null,
    ...differing,
  })
}

export function aUser(differing: Partial<User> = {}): User {
  const username = `u${randomBytes(6).toString('hex')}`
  return {
    id: anId(),
    username,
    email: `${username}+zoë☃@example.org`,
    passwordHash: '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA',
    role: 'user',
    mustChangePassword: false,
    createdAt: T0,
    notifications: true,
    language: null,
    emailVerified: null,
    signInAlerts: true,
    suspendedAt: null,
    // When a session of `aSession` was opened.
    signedInAt: T0,
    epoch: 0,
    formerEmail: null,
    formerEmailUntil: null,
    creationDeniedBy: null,
    groups: null,
    assignedGroups: [],
    secondFactor: false,
    devicesSince: null,
    defaultTtl: null,
    defaultViews: null,
    ...differing,
  }
}

/** An identity at a provider. */
export const anIdentity = (differing: Partial<ExternalIdentity> = {}): ExternalIdentity => ({
  provider: 'company',
  subject: `${anId()} ☃`,
  ...differing,
})

/** A passkey added at `T0`, with a credential of the longest id. */
export const aPasskey = (differing: Partial<Passkey> & Pick<Passkey, 'userId'>): Passkey => ({
  id: anId(),
  credentialId: randomBytes(1023).toString('base64url'),
  publicKey: randomBytes(77).toString('base64url'),
  counter: 0,
  transports: ['internal', 'hybrid'],
  backedUp: true,
  name: '🗝'.repeat(32),
  createdAt: T0,
  usedAt: null,
  epoch: 0,
  ...differing,
})

/** An authenticator app added at `T0`. */
export const anAuthenticator = (differing: Partial<Authenticator> & Pick<Authenticator, 'userId'>): Authenticator => ({
  secret: 'verschlüsselt ☃ 🗝',
  createdAt: T0,
  usedAt: null,
  lastStep: Math.floor(T0 / 30_000),
  epoch: 0,
  ...differing,
})

/** A session opened at `T0` that expires after 7 days, and after 30 days at the latest. */
export function aSession(differing: Partial<Session> & Pick<Session, 'userId'>): Session {
  return {
    id: anId(),
    tokenHash: aHash(),
    createdAt: T0,
    seenAt: T0,
    expiresAt: T0 + 7 * DAY,
    endsAt: T0 + 30 * DAY,
    client: 'Browser ☃ on 🗝',
    epoch: 0,
    level: 1,
    provenAt: T0,
    ...differing,
  }
}

/** A token for creating secrets, for a year from `T0`. */
export function aToken(differing: Partial<ApiToken> & Pick<ApiToken, 'userId'>): ApiToken {
  return {
    id: randomBytes(4).toString('hex'),
    hash: aHash(),
    name: 'Prüfstand ☃ 🗝',
    scopes: ['secrets:create'],
    createdAt: T0,
    usedAt: null,
    expiresAt: T0 + 365 * DAY,
    secretsLeft: null,
    bytesLeft: null,
    allowedIp: null,
    epoch: 0,
    ...differing,
  }
}

/** A pending device login, created at `T0`, that expires after ten minutes. */
export function aDeviceLogin(differing: Partial<DeviceLogin> = {}): DeviceLogin {
  return {
    hash: aHash(),
    userCodeHash: aHash(),
    client: 'mayfly on Büro ☃ 🗝',
    scopes: ['secrets:create', 'account'],
    address: '2001:db8::1',
    createdAt: T0,
    expiresAt: T0 + 10 * MINUTE,
    ...differing,
  }
}

/** A webhook for views, created at `T0`. */
export function aWebhook(differing: Partial<UserWebhook> & Pick<UserWebhook, 'userId'>): UserWebhook {
  return {
    id: randomBytes(16).toString('hex'),
    name: 'Empfänger ☃ 🗝',
    url: 'https://hooks.example.org/ä?token=☃',
    types: ['secret.viewed'],
    secret: 'verschlüsselt ☃',
    previousSecret: null,
    previousUntil: null,
    failingSince: null,
    createdAt: T0,
    expiresAt: null,
    epoch: 0,
    ...differing,
  }
}

export function anAuditEntry(differing: Partial<AuditEntry> = {}): AuditEntry {
  return {
    id: anId(),
    at: T0,
    action: 'settings.changed',
    actor: 'zoe',
    subject: 'restrict_organization_email',
    address: '2001:db8::/64',
    detail: { from: '', to: 'bücher.example ☃', count: 2, byHand: true, reason: null },
    ...differing,
  }
}

/** An upload of two parts that is not attached, open for an hour from `T0`. */
export function anUpload(differing: Partial<Attachment> = {}): Attachment {
  const id = anId()
  return {
    id,
    fileId: id,
    blob: randomBytes(12).toString('hex'),
    size: 12_345_678,
    parts: 2,
    tokenHash: aHash(),
    uploader: aHash(),
    reservedFor: null,
    copies: 1,
    copiesMade: 0,
    secretId: null,
    name: null,
    type: null,
    expiresAt: T0 + 60 * MINUTE,
    ...differing,
  }
}
