/** Converts rows of accounts, sessions, tokens and the audit log to objects and back. */
import { createHash } from 'node:crypto'
import type { ApiToken, AuditEntry, ChainedEntry, ExternalIdentity, Session, User, UserChanges } from '#core'
import { type RowOf, TABLES, type Table } from '#migrations'
import { fromRow, toChangedColumns, toRow, toWords } from './convert-rows.js'
import type { Row } from './tables.js'

export const toUserRow = (user: User): RowOf<'users'> =>
  toRow('users', {
    ...user,
    groupsJson: toGroupsJson(user.groups),
    assignedGroupsJson: toAssignedJson(user.assignedGroups),
  })

/** Without `fromRow`, which is slow for so many columns: every authenticated request reads a user. */
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

export const toUserChanges = ({ groups, assignedGroups, ...changes }: UserChanges): Row =>
  toChangedColumns('users', {
    ...changes,
    groupsJson: groups === undefined ? undefined : toGroupsJson(groups),
    assignedGroupsJson: assignedGroups === undefined ? undefined : toAssignedJson(assignedGroups),
  })

const toGroupsJson = (groups: User['groups']): string | null => (groups === null ? null : JSON.stringify(groups))

const toAssignedJson = (names: string[]): string | null => (names.length === 0 ? null : JSON.stringify(names))

const USER_COLUMNS = Object.keys((TABLES.users as Table).columns)

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

export const toIdentityRow = (userId: string, identity: ExternalIdentity, epoch: number): RowOf<'identities'> =>
  toRow('identities', {
    ...identity,
    hash: identityHash(identity),
    userId,
    epoch,
    createdAt: identity.createdAt ?? null,
  })

export const toSessionRow = (session: Session): RowOf<'sessions'> =>
  toRow('sessions', { ...session, previousHash: null, previousUntil: null })

export const toSession = (row: Row): Session => ({
  ...fromRow('sessions', row, 'previous_hash', 'previous_until'),
  level: Number(row.level) === 2 ? 2 : 1,
})

export const toTokenRow = (token: ApiToken): RowOf<'api_tokens'> =>
  toRow('api_tokens', { ...token, scopes: token.scopes.join(' ') })

export const toToken = (row: Row): ApiToken => ({ ...fromRow('api_tokens', row), scopes: toWords(row.scopes) })

export const toAuditRow = (entry: ChainedEntry): RowOf<'audit'> =>
  toRow('audit', { ...entry, detail: JSON.stringify(entry.detail) })

export const toAuditEntry = (row: Row): AuditEntry => ({
  ...fromRow('audit', row, 'position', 'previous', 'hash'),
  detail: JSON.parse(row.detail),
})

export const toChainedEntry = (row: Row): ChainedEntry => ({ ...fromRow('audit', row), detail: JSON.parse(row.detail) })

const toNumberOrNull = (value: Row[string]): number | null => (value === null ? null : Number(value))
