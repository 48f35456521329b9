import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { ApiError } from '#shared/client'
import { loginChanged } from '../../login.js'
import { Field } from '../../parts/Field.js'
import { Link } from '../../parts/Link.js'
import { Notice } from '../../parts/Notice.js'
import { Page } from '../../parts/Page.js'
import { PasswordInput } from '../../parts/PasswordInput.js'
import { paths } from '../../paths.js'
import { useSettings } from '../../settings.js'
import { signUp } from './calls.js'
import { FailureNotice } from './FailureNotice.js'
import { Providers } from './Providers.js'
import { returnPath, returnPathOutside } from './return-path.js'
import { SetUpHint } from './SetUpHint.js'
import { type Entries, FIELDS, type FieldName, wrongIn } from './sign-up-rules.js'
import { useSubmit } from './use-submit.js'

export default function SignUp() {
  const { t } = useTranslation('people')
  const { settings, retry } = useSettings()
  const { search } = useLocation()
  const navigate = useNavigate()
  const [entries, setEntries] = useState<Entries>({ email: '', username: '', password: '' })
  // What somebody is still typing is not wrong yet.
  const [visited, setVisited] = useState<ReadonlySet<FieldName>>(new Set())
  const [wasTried, setTried] = useState(false)
  const summary = useRef<HTMLDivElement>(null)
  const form = useRef<HTMLFormElement>(null)
  const { submit, isBusy, failure } = useSubmit(async () => {
    await signUp({ ...entries, username: entries.username.trim(), email: entries.email.trim() })
    loginChanged()
    retry()
    await navigate(returnPath(search), { replace: true })
  })
  const wrong = FIELDS.filter((name) => wrongIn(name, entries))
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
    onBlur: () => entries[name] !== '' && setVisited(new Set([...visited, name])),
  })
  const errorOf = (name: FieldName) => {
    if (visited.has(name) && wrongIn(name, entries)) return t(`sign-up.wrong.${name}`)
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
                    {t(`sign-up.wrong.${name}`)}
                  </button>
                </li>
              ))}
            </ul>
          </Notice>
        )}
      </div>
      <form ref={form} className="card" noValidate onSubmit={send}>
        <Field label={t('email')} error={errorOf('email')}>
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
        <Field label={t('password')} hint={t('sign-up.password-rule')} error={errorOf('password')}>
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
