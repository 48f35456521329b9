import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useForm } from '../../forms/use-form.js'
import {
  ACCOUNT_FIELDS,
  type AccountField,
  EMPTY_ACCOUNT,
  invalidAccountFields,
  passwordRange,
  trimAccount,
} from '../../forms/validate-account.js'
import { sessionStore } from '../../lib/session/session-store.js'
import { useSettings } from '../../lib/settings.js'
import { signUp } from './auth-api.js'
import { returnPath } from './return-path.js'

export type SignUpFormState = ReturnType<typeof useSignUpForm>

export function useSignUpForm() {
  const { settings, retry } = useSettings()
  const { search } = useLocation()
  const navigate = useNavigate()
  const [values, setValues] = useState(EMPTY_ACCOUNT)
  const [isSigningUp, setSigningUp] = useState(false)
  const range = passwordRange(settings.limits, false)
  const invalid = invalidAccountFields(values, range)
  const form = useForm<AccountField>({
    invalid,
    serverFields: ACCOUNT_FIELDS,
    async send() {
      setSigningUp(true)
      try {
        await signUp(trimAccount(values))
      } catch (error) {
        setSigningUp(false)
        throw error
      }
      sessionStore.notify()
      // The settings depend on who is signed in.
      retry()
      await navigate(returnPath(search), { replace: true })
    },
  })
  const inputProps = (name: AccountField) => ({ ...form.inputProps(name, values, setValues), required: true })
  return { ...form, isSigningUp, invalid, range, inputProps }
}
