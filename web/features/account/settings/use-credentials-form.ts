import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { useForm } from '../../../forms/use-form.js'
import { passwordRange } from '../../../forms/validate-account.js'
import { formatRange } from '../../../lib/format.js'
import { language } from '../../../lib/i18n.js'
import { useAccount } from '../../../lib/session/require-session.js'
import { sessionStore } from '../../../lib/session/session-store.js'
import { useSettings } from '../../../lib/settings.js'
import { updateAccount } from '../account-api.js'
import {
  CREDENTIAL_FIELDS,
  type CredentialField,
  type CredentialValues,
  credentialChanges,
  validateCredentials,
} from './validate-credentials.js'

const NO_PASSWORDS = { currentPassword: '', newPassword: '', confirmNewPassword: '' }

export type CredentialsFormState = ReturnType<typeof useCredentialsForm>

export function useCredentialsForm() {
  const account = useAccount()
  const { limits } = useSettings().settings
  const { revalidate } = useRevalidator()
  const [values, setValues] = useState<CredentialValues>({ email: account.email, ...NO_PASSWORDS })
  const [outcome, setOutcome] = useState<'done' | 'unchanged' | null>(null)
  const range = passwordRange(limits, account.role === 'admin')
  const problems = validateCredentials(values, account.hasPassword, range)
  const form = useForm<CredentialField>({
    invalid: CREDENTIAL_FIELDS.filter((name) => problems[name]),
    serverFields: CREDENTIAL_FIELDS,
    async send() {
      const changes = credentialChanges(values, account)
      if (changes) await updateAccount(changes)
      setOutcome(changes ? 'done' : 'unchanged')
      setValues({ email: values.email.trim(), ...NO_PASSWORDS })
      form.reset()
      sessionStore.notify()
      await revalidate()
    },
  })
  const inputProps = (name: CredentialField) => ({ ...form.inputProps(name, values, setValues), dir: 'ltr' })
  const isPasswordChanged = values.newPassword !== '' || values.confirmNewPassword !== ''
  const rule = formatRange(range, language)
  return { ...form, rule, problems, isPasswordChanged, outcome, clearOutcome: () => setOutcome(null), inputProps }
}
