/** What is wrong with changes to an account, as far as a page can tell before they are sent. */
import type { Account, UpdateAccount } from '#shared/api'

/** In the order of the form. */
export const FIELDS = ['email', 'currentPassword', 'newPassword', 'confirmNewPassword'] as const

export type FieldName = (typeof FIELDS)[number]
export type Entries = Record<FieldName, string>
/** In characters. */
export interface Lengths {
  min: number
  max: number
}

/** The words about it. */
export type Wrong = 'email-wrong' | 'current-missing' | 'new-wrong' | 'confirm-wrong'

/** Of an administrator's password. */
const ADMIN_MIN = 12

/** How long a new password of theirs has to be. */
export const lengthsFor = (role: Account['role'], { min, max }: Lengths): Lengths => ({
  min: role === 'admin' ? Math.max(min, ADMIN_MIN) : min,
  max,
})

export function wrongIn(
  { email, currentPassword, newPassword, confirmNewPassword }: Entries,
  hasPassword: boolean,
  { min, max }: Lengths,
): Partial<Record<FieldName, Wrong>> {
  // Counted in characters, as the server does.
  const { length } = [...newPassword]
  const isNew = newPassword !== '' || confirmNewPassword !== ''
  return {
    ...(!/^\s*[^\s@]+@[^\s@]+\.[^\s@]+\s*$/.test(email) && { email: 'email-wrong' }),
    ...(hasPassword && currentPassword === '' && { currentPassword: 'current-missing' }),
    ...(isNew && (length < min || length > max) && { newPassword: 'new-wrong' }),
    ...(newPassword !== confirmNewPassword && { confirmNewPassword: 'confirm-wrong' }),
  }
}

/** Only what is another than before; null: nothing is. */
export function changesIn(entries: Entries, account: Pick<Account, 'email' | 'hasPassword'>): UpdateAccount | null {
  const { currentPassword, newPassword, confirmNewPassword } = entries
  const email = entries.email.trim()
  const changes: UpdateAccount = {
    ...(email.toLowerCase() !== account.email && { email }),
    ...(newPassword !== '' && { newPassword, confirmNewPassword }),
  }
  if (Object.keys(changes).length === 0) return null
  return account.hasPassword ? { ...changes, currentPassword } : changes
}
