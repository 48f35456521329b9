/** Checks changes of the e-mail address and the password before they are sent. */
import type { Account, UpdateAccount } from '#shared/api'
import { isEmail, isPasswordLength, type PasswordRange } from '../../../forms/validate-account.js'

/** In the order of the form. */
export const CREDENTIAL_FIELDS = ['email', 'currentPassword', 'newPassword', 'confirmNewPassword'] as const

export type CredentialField = (typeof CREDENTIAL_FIELDS)[number]
export type CredentialValues = Record<CredentialField, string>

/** The end of a locale key below `account:settings`. */
export type CredentialProblem = 'email-wrong' | 'current-missing' | 'new-wrong' | 'confirm-wrong'

export function validateCredentials(
  { email, currentPassword, newPassword, confirmNewPassword }: CredentialValues,
  hasPassword: boolean,
  range: PasswordRange,
): Partial<Record<CredentialField, CredentialProblem>> {
  const isPasswordChanged = newPassword !== '' || confirmNewPassword !== ''
  return {
    ...(!isEmail(email) && { email: 'email-wrong' }),
    ...(hasPassword && currentPassword === '' && { currentPassword: 'current-missing' }),
    ...(isPasswordChanged && !isPasswordLength(newPassword, range) && { newPassword: 'new-wrong' }),
    ...(newPassword !== confirmNewPassword && { confirmNewPassword: 'confirm-wrong' }),
  }
}

/** The request that makes the changes; null when nothing changes. */
export function credentialChanges(
  values: CredentialValues,
  account: Pick<Account, 'email' | 'hasPassword'>,
): UpdateAccount | null {
  const { currentPassword, newPassword, confirmNewPassword } = values
  const email = values.email.trim()
  const changes: UpdateAccount = {
    ...(email.toLowerCase() !== account.email && { email }),
    ...(newPassword !== '' && { newPassword, confirmNewPassword }),
  }
  if (Object.keys(changes).length === 0) return null
  return account.hasPassword ? { ...changes, currentPassword } : changes
}
