import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { CodeField } from '../../forms/InputField.js'
import { useFocusOnFirstField } from '../../forms/use-focus-on-first-field.js'
import { useForm } from '../../forms/use-form.js'
import { accountPaths } from '../../lib/account-paths.js'
import { errorMessage } from '../../lib/error-message.js'
import { parseUserCode } from './user-code.js'

/** Asks for the code that the program shows. `error`: of the code that was typed before. */
export function DeviceCodeForm({ typed, error }: { typed: string; error: unknown }) {
  const { t } = useTranslation('device')
  const navigate = useNavigate()
  const [values, setValues] = useState({ code: typed })
  const code = parseUserCode(values.code)
  const form = useForm<'code'>({
    invalid: code === null ? ['code'] : [],
    send: async () => navigate(`${accountPaths.device}?${new URLSearchParams({ code: code ?? '' })}`),
  })
  useFocusOnFirstField(form.ref)
  const isRefused = error !== null && values.code === typed
  return (
    <form ref={form.ref} className="card" noValidate onSubmit={form.onSubmit}>
      <CodeField
        label={t('code')}
        error={form.isInvalid('code') ? t('code-missing') : isRefused ? errorMessage(error) : null}
        {...form.inputProps('code', values, setValues)}
        autoCapitalize="characters"
        placeholder="BCDF-GHJK"
        required
      />
      <button type="submit" className="button primary large whole" aria-disabled={form.isSending}>
        {t('common:continue')}
      </button>
    </form>
  )
}
