import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { ApiError } from '#shared/client'
import { FailureNotice } from '../../components/ErrorNotice.js'
import { Link } from '../../components/Link.js'
import { Notice } from '../../components/Notice.js'
import { Page } from '../../components/Page.js'
import { Field } from '../../forms/Field.js'
import { PasswordInput } from '../../forms/PasswordInput.js'
import { useSubmit } from '../../forms/use-form.js'
import { useVisited } from '../../forms/use-touched.js'
import {
  FIELDS,
  type FieldName,
  NO_ENTRIES,
  passwordRange,
  trimmed,
  wrongFields,
} from '../../forms/validate-account.js'
import { number } from '../../lib/format.js'
import { language } from '../../lib/i18n.js'
import { paths } from '../../lib/paths.js'
import { loginChanged } from '../../lib/session/session-store.js'
import { useSettings } from '../../lib/settings.js'
import { signUp } from './auth-api.js'
import { asksPassword, OnlyElsewhere, Providers } from './ProviderButtons.js'
import { returnPath, returnPathOutside } from './return-path.js'
import { SetUpHint } from './SetUpHint.js'

export default function SignUp() {
  const { t } = useTranslation('people')
  const { settings, retry } = useSettings()
  const { search } = useLocation()
  const navigate = useNavigate()
  const [entries, setEntries] = useState(NO_ENTRIES)
  const { visited, setVisited, leave } = useVisited<FieldName>()
  const [wasTried, setTried] = useState(false)
  const summary = useRef<HTMLDivElement>(null)
  const form = useRef<HTMLFormElement>(null)
  const { submit, isBusy, failure } = useSubmit(async () => {
    await signUp(trimmed(entries))
    loginChanged()
    retry()
    await navigate(returnPath(search), { replace: true })
  })
  const range = passwordRange(settings.limits, false)
  const limits = { min: number(range.min, language), max: number(range.max, language) }
  const wrong = wrongFields(entries, range)
  const refused = failure instanceof ApiError ? failure.body.field : undefined
  const heading = t('sign-up.heading')
  useEffect(() => {
    if (wasTried) summary.current?.focus()
  }, [wasTried])

  const send = (event: FormEvent) => {
    if (wrong.length === 0) return void submit(event)
    event.preventDefault()
    setVisited(new Set(FIELDS))
    setTried(true)
    summary.current?.focus()
  }
  const lede = (
    <>
      {t('sign-up.have-account')} <Link to={paths.signIn + search}>{t('sign-in.action')}</Link>
    </>
  )
  if (!asksPassword(settings.providers)) {
    return (
      <Page heading={heading} lede={lede}>
        <SetUpHint />
        <OnlyElsewhere providers={settings.providers} next={returnPathOutside(search)} />
      </Page>
    )
  }
  if (!settings.signUp) {
    return (
      <Page heading={heading} lede={lede}>
        <Notice kind="info">
          {t(settings.disable_users ? 'common:errors.auth.users_disabled' : 'common:errors.auth.sign_up_disabled')}
        </Notice>
        <SetUpHint />
      </Page>
    )
  }
  const isWrong = failure !== null || (wasTried && wrong.length > 0)
  const controls = (name: FieldName) => ({
    name,
    required: true,
    value: entries[name],
    onChange: ({ target }: { target: HTMLInputElement }) => setEntries({ ...entries, [name]: target.value }),
    onBlur: leave(name),
  })
  const errorOf = (name: FieldName) => {
    if (visited.has(name) && wrong.includes(name)) return t(`sign-up.wrong.${name}`, limits)
    return refused === name && failure instanceof ApiError ? t('sign-up.refused') : null
  }
  return (
    <Page heading={heading} title={isWrong ? t('error-title', { title: heading }) : heading} lede={lede}>
      <SetUpHint />
      <FailureNotice failure={failure} />
      <div ref={summary} tabIndex={-1} className="failure">
        {wasTried && wrong.length > 0 && (
          <Notice kind="bad" role="alert" heading={t('sign-up.problems', { count: wrong.length })}>
            <ul className="problems">
              {wrong.map((name) => (
                <li key={name}>
                  <button
                    type="button"
                    onClick={() => form.current?.querySelector<HTMLInputElement>(`[name=${name}]`)?.focus()}
                  >
                    {t(`sign-up.wrong.${name}`, limits)}
                  </button>
                </li>
              ))}
            </ul>
          </Notice>
        )}
      </div>
      <form ref={form} className="card" noValidate onSubmit={send}>
        <Field
          label={t('email')}
          hint={settings.organizationEmail && t('common:errors.auth.email_domain')}
          error={errorOf('email')}
        >
          {(control) => <input {...control} {...controls('email')} type="email" autoComplete="email" dir="ltr" />}
        </Field>
        <Field label={t('username')} hint={t('sign-up.username-rule')} error={errorOf('username')}>
          {(control) => (
            <input
              {...control}
              {...controls('username')}
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              dir="ltr"
            />
          )}
        </Field>
        <Field label={t('password')} hint={t('sign-up.password-rule', limits)} error={errorOf('password')}>
          {(control) => <PasswordInput {...control} {...controls('password')} autoComplete="new-password" />}
        </Field>
        <button type="submit" className="button primary large whole" aria-disabled={isBusy}>
          {t(isBusy ? 'sign-up.busy' : 'sign-up.action')}
        </button>
        <Providers providers={settings.providers} next={returnPathOutside(search)} />
      </form>
    </Page>
  )
}
