import { useState } from 'react'
import { isPasswordLength, passwordRange } from '../../../forms/validate-account.js'
import { useAccount } from '../../../lib/session/require-session.js'
import { useSettings } from '../../../lib/settings.js'

export const PASSWORDS = ['currentPassword', 'newPassword'] as const

export type PasswordName = (typeof PASSWORDS)[number]

/** The values of `PasswordFields`, and the names of the invalid fields. */
export function usePasswords() {
  const { limits } = useSettings().settings
  const [values, setValues] = useState({ currentPassword: '', newPassword: '' })
  const range = passwordRange(limits, useAccount().role === 'admin')
  const invalid: PasswordName[] = [
    ...(values.currentPassword === '' ? ['currentPassword' as const] : []),
    ...(isPasswordLength(values.newPassword, range) ? [] : ['newPassword' as const]),
  ]
  return { values, setValues, range, invalid }
}
