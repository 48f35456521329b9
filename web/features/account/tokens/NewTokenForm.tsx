import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TOKEN_NAME_MAX } from '#shared/account-limits'
import type { CreatedToken, CreateToken } from '#shared/api'
import { ApiError } from '#shared/client'
import { FailureNotice } from '../../../components/ErrorNotice.js'
import { Field } from '../../../forms/Field.js'
import { useSubmit } from '../../../forms/use-form.js'
import { duration } from '../../../lib/format.js'
import { language } from '../../../lib/i18n.js'
import { useAccount } from '../../../lib/session/require-session.js'
import { createToken } from '../account-api.js'
import { LimitFields } from './LimitFields.js'
import { LIMITS, NO_LIMITS, takenLimits, wrongLimits } from './token-limits.js'
import { isForCreating, type Scope, scopesOf, WORDS } from './token-scopes.js'

const DAY_MS = 86_400_000
const DAYS = [7, 30, 90, 365]
/** What most programs need. */
const USUAL: Scope[] = ['secrets:create', 'secrets:read']

interface Props {
  onCreate(token: CreatedToken): void
  onCancel(): void
}

export function NewToken({ onCreate, onCancel }: Props) {
  const { t } = useTranslation('account')
  const { role } = useAccount()
  const [name, setName] = useState('')
  const [days, setDays] = useState(365)
  const [scopes, setScopes] = useState(USUAL)
  const [allowedIp, setAllowedIp] = useState('')
  const [limits, setLimits] = useState(NO_LIMITS)
  const [wasTried, setTried] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const isLimited = isForCreating(scopes)
  const { submit, isBusy, failure } = useSubmit(async () => {
    const wanted: CreateToken = { name: name.trim(), scopes, expiresAt: Date.now() + days * DAY_MS }
    const address = allowedIp.trim() === '' ? {} : { allowedIp: allowedIp.trim() }
    onCreate(await createToken({ ...wanted, ...address, ...(isLimited && takenLimits(limits)) }))
  })
  const wrongOnes = isLimited ? wrongLimits(limits) : []
  const focusOn = (field: string) => form.current?.querySelector<HTMLInputElement>(`[name=${field}]`)?.focus()
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the form appears
  useEffect(() => focusOn('name'), [])
  const send = (event: FormEvent) => {
    setTried(true)
    const wrong = name.trim() === '' ? 'name' : scopes.length === 0 ? 'scope' : wrongOnes[0]
    if (wrong === undefined) return void submit(event)
    event.preventDefault()
    focusOn(wrong)
  }
  const refused = failure instanceof ApiError ? failure.body.field : undefined
  const lacksScope = wasTried && scopes.length === 0
  return (
    <form ref={form} className="stack" noValidate onSubmit={send}>
      <FailureNotice failure={failure} />
      <Field
        label={t('tokens.name')}
        hint={t('tokens.name-hint')}
        error={wasTried && name.trim() === '' ? t('tokens.name-missing') : null}
      >
        {(control) => (
          <input
            {...control}
            name="name"
            autoComplete="off"
            required
            maxLength={TOKEN_NAME_MAX}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
      <fieldset aria-describedby={lacksScope ? 'scopes-missing' : undefined}>
        <legend>{t('tokens.scopes')}</legend>
        {scopesOf(role).map((scope) => (
          <label key={scope} className="choice">
            <input
              type="checkbox"
              name="scope"
              checked={scopes.includes(scope)}
              onChange={({ target }) =>
                setScopes(target.checked ? [...scopes, scope] : scopes.filter((each) => each !== scope))
              }
            />
            {t(`tokens.scope.${WORDS[scope]}`)}
          </label>
        ))}
        {lacksScope && (
          <p className="error" id="scopes-missing">
            {t('tokens.scopes-missing')}
          </p>
        )}
      </fieldset>
      {isLimited && (
        <LimitFields
          limits={limits}
          change={setLimits}
          wrong={LIMITS.filter((name) => refused === name || (wasTried && wrongOnes.includes(name)))}
        />
      )}
      <div className="row">
        <Field label={t('tokens.expires')}>
          {(control) => (
            <select {...control} value={days} onChange={({ target }) => setDays(Number(target.value))}>
              {DAYS.map((each) => (
                <option key={each} value={each}>
                  {duration((each * DAY_MS) / 1000, language)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field
          label={t('tokens.address')}
          optional
          error={refused === 'allowedIp' ? t('tokens.address-wrong') : null}
          hint={t('tokens.address-hint')}
        >
          {(control) => (
            <input
              {...control}
              name="allowedIp"
              autoComplete="off"
              spellCheck={false}
              dir="ltr"
              value={allowedIp}
              onChange={({ target }) => setAllowedIp(target.value)}
            />
          )}
        </Field>
      </div>
      <div className="actions">
        <button type="submit" className="button primary" aria-disabled={isBusy}>
          {t(isBusy ? 'tokens.busy' : 'tokens.create')}
        </button>
        <button type="button" className="button" onClick={onCancel}>
          {t('tokens.cancel')}
        </button>
      </div>
    </form>
  )
}
