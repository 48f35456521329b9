/** Converts rows of accounts, sessions, tokens and the audit log to objects and back: see secret-rows.ts. */
import { createHash } from 'node:crypto'
import type { ApiToken, AuditEntry, ChainedEntry, ExternalIdentity, Scope, Session, User } from '#core'
import type { RowOf } from '#migrations'
import type { Row } from './secret-rows.js'

export const toUserRow = (user: User): RowOf<'users'> => ({
  id: user.id,
  username: user.username,
  email: user.email,
  password_hash: user.passwordHash,
  role: user.role,
  must_change_password: user.mustChangePassword,
  created_at: user.createdAt,
  notifications: user.notifications,
  language: user.language,
  email_verified: user.emailVerified,
  sign_in_alerts: user.signInAlerts,
  suspended_at: user.suspendedAt,
  signed_in_at: user.signedInAt,
  epoch: user.epoch,
  former_email: user.formerEmail,
  former_email_until: user.formerEmailUntil,
  creation_denied_by: user.creationDeniedBy,
  groups_json: toGroupsJson(user.groups),
  assigned_groups_json: toAssignedJson(user.assignedGroups),
  second_factor: user.secondFactor,
  devices_since: user.devicesSince,
  default_ttl: user.defaultTtl,
  default_views: user.defaultViews,
})

export const toUser = (row: Row): User => ({
  id: row.id,
  username: row.username,
  email: row.email,
  passwordHash: row.password_hash,
  role: row.role,
  mustChangePassword: Boolean(row.must_change_password),
  createdAt: Number(row.created_at),
  notifications: Boolean(row.notifications),
  language: row.language,
  emailVerified: toNumberOrNull(row.email_verified),
  signInAlerts: Boolean(row.sign_in_alerts),
  suspendedAt: toNumberOrNull(row.suspended_at),
  signedInAt: toNumberOrNull(row.signed_in_at),
  epoch: Number(row.epoch),
  formerEmail: row.former_email,
  formerEmailUntil: toNumberOrNull(row.former_email_until),
  creationDeniedBy: row.creation_denied_by,
  groups: row.groups_json === null ? null : JSON.parse(row.groups_json),
  assignedGroups: row.assigned_groups_json === null ? [] : JSON.parse(row.assigned_groups_json),
  secondFactor: Boolean(row.second_factor),
  devicesSince: toNumberOrNull(row.devices_since),
  defaultTtl: toNumberOrNull(row.default_ttl),
  defaultViews: toNumberOrNull(row.default_views),
})

export const toGroupsJson = (groups: User['groups']): string | null => (groups === null ? null : JSON.stringify(groups))

export const toAssignedJson = (names: string[]): string | null => (names.length === 0 ? null : JSON.stringify(names))

const USER_COLUMNS = [
  'id',
  'username',
  'email',
  'password_hash',
  'role',
  'must_change_password',
  'created_at',
  'notifications',
  'language',
  'email_verified',
  'sign_in_alerts',
  'suspended_at',
  'signed_in_at',
  'epoch',
  'former_email',
  'former_email_until',
  'creation_denied_by',
  'groups_json',
  'assigned_groups_json',
  'second_factor',
  'devices_since',
  'default_ttl',
  'default_views',
]

/** Selects the columns of a joined user under aliases, because the other table has columns of the same names. */
export const USER_ALIASES = Object.fromEntries(
  USER_COLUMNS.map((column) => [`joined_user_${column}`, `users.${column}`]),
)

/** The user of a row that was selected with `USER_ALIASES`. */
export const toJoinedUser = (row: Row): User =>
  toUser(Object.fromEntries(USER_COLUMNS.map((column) => [column, row[`joined_user_${column}`]])))

/** Hashed, so that subjects are compared bytewise: MariaDB, for example, considers `a` and `a ` equal. */
export const identityHash = ({ provider, subject }: ExternalIdentity): string =>
  createHash('sha256')
    .update(JSON.stringify([provider, subject]))
    .digest('hex')

export const toIdentityRow = (userId: string, identity: ExternalIdentity, epoch: number): RowOf<'identities'> => ({
  hash: identityHash(identity),
  provider: identity.provider,
  subject: identity.subject,
  user_id: userId,
  epoch,
  created_at: identity.createdAt ?? null,
})

export const toSessionRow = (session: Session): RowOf<'sessions'> => ({
  id: session.id,
  user_id: session.userId,
  token_hash: session.tokenHash,
  previous_hash: null,
  previous_until: null,
  created_at: session.createdAt,
  seen_at: session.seenAt,
  expires_at: session.expiresAt,
  ends_at: session.endsAt,
  client: session.client,
  epoch: session.epoch,
  level: session.level,
  proven_at: session.provenAt,
})

export const toSession = (row: Row): Session => ({
  id: row.id,
  userId: row.user_id,
  tokenHash: row.token_hash,
  createdAt: Number(row.created_at),
  seenAt: Number(row.seen_at),
  expiresAt: Number(row.expires_at),
  endsAt: Number(row.ends_at),
  client: row.client,
  epoch: Number(row.epoch),
  level: Number(row.level) === 2 ? 2 : 1,
  provenAt: toNumberOrNull(row.proven_at),
})

export const toTokenRow = (token: ApiToken): RowOf<'api_tokens'> => ({
  id: token.id,
  hash: token.hash,
  user_id: token.userId,
  name: token.name,
  scopes: token.scopes.join(' '),
  created_at: token.createdAt,
  used_at: token.usedAt,
  expires_at: token.expiresAt,
  secrets_left: token.secretsLeft,
  bytes_left: token.bytesLeft,
  allowed_ip: token.allowedIp,
  epoch: token.epoch,
})

export const toToken = (row: Row): ApiToken => ({
  id: row.id,
  hash: row.hash,
  userId: row.user_id,
  name: row.name,
  scopes: row.scopes.split(' ').filter(Boolean) as Scope[],
  createdAt: Number(row.created_at),
  usedAt: toNumberOrNull(row.used_at),
  expiresAt: Number(row.expires_at),
  secretsLeft: toNumberOrNull(row.secrets_left),
  bytesLeft: toNumberOrNull(row.bytes_left),
  allowedIp: row.allowed_ip,
  epoch: Number(row.epoch),
})

export const toAuditRow = ({ detail, ...entry }: ChainedEntry): RowOf<'audit'> => ({
  ...entry,
  detail: JSON.stringify(detail),
})

export const toAuditEntry = (row: Row): AuditEntry => ({
  id: row.id,
  at: Number(row.at),
  action: row.action,
  actor: row.actor,
  subject: row.subject,
  address: row.address,
  detail: JSON.parse(row.detail),
})

export const toChainedEntry = (row: Row): ChainedEntry => ({
  ...toAuditEntry(row),
  position: Number(row.position),
  previous: row.previous,
  hash: row.hash,
})

const toNumberOrNull = (value: Row[string]): number | null => (value === null ? null : Number(value))
