import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { ErrorNotice } from '../../../components/ErrorNotice.js'
import { CodeField } from '../../../forms/InputField.js'
import { useForm } from '../../../forms/use-form.js'
import {
  ACCOUNT_FIELDS,
  type AccountField,
  EMPTY_ACCOUNT,
  invalidAccountFields,
  passwordRange,
  trimAccount,
} from '../../../forms/validate-account.js'
import { accountPaths } from '../../../lib/account-paths.js'
import { sessionStore } from '../../../lib/session/session-store.js'
import { useSettings } from '../../../lib/settings.js'
import { AccountFields } from '../AccountFields.js'
import { createFirstAdmin } from '../admin-api.js'
import { readSetUpCode } from './setup-code.js'

export function SetUpForm() {
  const { t } = useTranslation('admin')
  const { settings, retry } = useSettings()
  const navigate = useNavigate()
  const [code, setCode] = useState(readSetUpCode)
  const [values, setValues] = useState(EMPTY_ACCOUNT)
  const range = passwordRange(settings.limits, true)
  const missing = code.trim() === '' ? (['code'] as const) : []
  const form = useForm<'code' | AccountField>({
    invalid: [...missing, ...invalidAccountFields(values, range)],
    serverFields: ACCOUNT_FIELDS,
    async send() {
      await createFirstAdmin({ ...trimAccount(values), code: code.trim() })
      sessionStore.notify()
      await navigate(accountPaths.instanceSettings, { replace: true })
      retry()
    },
  })
  // The code is often in the link.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only on arrival
  useEffect(
    () => form.ref.current?.querySelector<HTMLInputElement>(`[name=${code ? 'username' : 'code'}]`)?.focus(),
    [],
  )
  return (
    <>
      <ErrorNotice error={form.formError} />
      <form ref={form.ref} className="card" noValidate onSubmit={form.onSubmit}>
        <CodeField
          label={t('set-up.code')}
          hint={t('set-up.code-hint')}
          error={form.isInvalid('code') ? t('set-up.no-code') : null}
          name="code"
          required
          value={code}
          onChange={({ target }) => setCode(target.value)}
        />
        <AccountFields form={form} values={values} change={setValues} range={range} />
        <button type="submit" className="button primary large whole" aria-disabled={form.isSending}>
          {t(form.isSending ? 'set-up.busy' : 'set-up.action')}
        </button>
      </form>
    </>
  )
}
