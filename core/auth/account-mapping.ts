/** Mappings between stored users, API responses, audit entries and errors. */
import type { User, UserChanges } from '../contracts/users.js'
import { AppError, isAppError } from '../lib/errors.js'
import type { Account } from '../shared/api/index.js'

/** An account as its owner and administrators see it. */
export function toAccount({
  username,
  email,
  role,
  mustChangePassword: generated,
  passwordHash,
  createdAt,
}: User): Account {
  return { username, email, role, generated, hasPassword: passwordHash !== null, createdAt }
}

/** Names of changed fields for the audit log, joined by spaces. */
export function listChangedFields(changes: UserChanges): string {
  const names = Object.keys(changes).map((name) => (name === 'passwordHash' ? 'password' : name))
  return names.filter((name) => name !== 'mustChangePassword').join(' ')
}

/** Throws AppError `user.email_taken` for a conflict: of all fields that an update changes, only the address is unique. */
export function throwEmailTaken(error: unknown): never {
  throw isAppError(error, 'storage.conflict') ? new AppError('user.email_taken', { field: 'email' }) : error
}
