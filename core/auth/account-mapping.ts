/** Mappings between stored users, API responses, audit entries and errors. */
import type { User, UserChanges } from '../contracts/users.js'
import { onConflict } from '../lib/errors.js'
import type { Account, ManagedAccount } from '../shared/api/index.js'

/** Initial values of a new account. */
export const NEW_ACCOUNT = {
  notifications: true,
  language: null,
  emailVerified: null,
  signInAlerts: true,
  suspendedAt: null,
  signedInAt: null,
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
}

/** An account in responses to its owner. */
export function toAccount({
  username,
  email,
  role,
  mustChangePassword: generated,
  passwordHash,
  createdAt,
  notifications,
  emailVerified,
  signInAlerts,
  defaultTtl,
  defaultViews,
}: User): Account {
  const hasPassword = passwordHash !== null
  return {
    username,
    email,
    role,
    generated,
    hasPassword,
    createdAt,
    notifications,
    emailVerified,
    signInAlerts,
    defaults: { ttl: defaultTtl, views: defaultViews },
  }
}

/** An account in responses to administrators. */
export const toManagedAccount = (user: User): ManagedAccount => ({
  ...toAccount(user),
  suspendedAt: user.suspendedAt,
  signedInAt: user.signedInAt,
  groups: user.assignedGroups,
})

/** Names of changed fields for the audit log, joined by spaces. */
export function listChangedFields(changes: UserChanges): string {
  const names: Record<string, string> = {
    email: 'email',
    role: 'role',
    passwordHash: 'password',
    assignedGroups: 'groups',
  }
  return Object.keys(changes)
    .flatMap((field) => names[field] ?? [])
    .join(' ')
}

/** Handles rejections of updates: of all fields that an update changes, only the address is unique. */
export const throwEmailTaken = onConflict('user.email_taken', { field: 'email' })
