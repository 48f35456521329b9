import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { FailureNotice } from '../../../components/ErrorNotice.js'
import { Link } from '../../../components/Link.js'
import { Notice } from '../../../components/Notice.js'
import { Page } from '../../../components/Page.js'
import { Field } from '../../../forms/Field.js'
import { useSubmit } from '../../../forms/use-form.js'
import { NO_ENTRIES, passwordRange, trimmed, wrongFields } from '../../../forms/validate-account.js'
import { paths } from '../../../lib/paths.js'
import { loginChanged } from '../../../lib/session/session-store.js'
import { useSettings } from '../../../lib/settings.js'
import { AccountFields } from '../AccountFields.js'
import { setUp } from '../admin-api.js'
import { takeCode } from './setup-code.js'

/** The first administrator, for whoever holds the code that the server printed. */
export default function SetUp() {
  const { t } = useTranslation('admin')
  const { settings } = useSettings()
  return (
    <Page heading={t('set-up.heading')} lede={settings.setUp && t('set-up.lede')}>
      {settings.setUp ? <SetUpForm /> : <Over />}
    </Page>
  )
}

function Over() {
  const { t } = useTranslation('admin')
  return (
    <>
      <Notice kind="info">{t('set-up.over')}</Notice>
      <p className="actions">
        <Link className="button primary" to={paths.signIn}>
          {t('set-up.sign-in')}
        </Link>
      </p>
    </>
  )
}

function SetUpForm() {
  const { t } = useTranslation('admin')
  const { settings, retry } = useSettings()
  const navigate = useNavigate()
  const [code, setCode] = useState(takeCode)
  const [entries, setEntries] = useState(NO_ENTRIES)
  const [attempts, setAttempts] = useState(0)
  const form = useRef<HTMLFormElement>(null)
  const range = passwordRange(settings.limits, true)
  const { submit, isBusy, failure } = useSubmit(async () => {
    await setUp({ ...trimmed(entries), code: code.trim() })
    loginChanged()
    await navigate(paths.instanceSettings, { replace: true })
    retry()
  })
  useEffect(() => {
    if (attempts > 0) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [attempts])
  const send = (event: FormEvent) => {
    if (code.trim() !== '' && wrongFields(entries, range).length === 0) return void submit(event)
    event.preventDefault()
    setAttempts(attempts + 1)
  }
  const wasTried = attempts > 0
  return (
    <>
      <FailureNotice failure={failure} />
      <form ref={form} className="card" noValidate onSubmit={send}>
        <Field
          label={t('set-up.code')}
          hint={t('set-up.code-hint')}
          error={wasTried && code.trim() === '' ? t('set-up.no-code') : null}
        >
          {(control) => (
            <input
              {...control}
              name="code"
              className="mono"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              dir="ltr"
              required
              value={code}
              onChange={({ target }) => setCode(target.value)}
            />
          )}
        </Field>
        <AccountFields entries={entries} change={setEntries} range={range} wasTried={wasTried} failure={failure} />
        <button type="submit" className="button primary large whole" aria-disabled={isBusy}>
          {t(isBusy ? 'set-up.busy' : 'set-up.action')}
        </button>
      </form>
    </>
  )
}
