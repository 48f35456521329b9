import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '#shared/client'
import { Field } from '../../forms/Field.js'
import { PasswordInput } from '../../forms/PasswordInput.js'
import { useVisited } from '../../forms/use-touched.js'
import { type Entries, type FieldName, type PasswordRange, wrongFields } from '../../forms/validate-account.js'
import { number } from '../../lib/format.js'
import { language } from '../../lib/i18n.js'

interface Props {
  entries: Entries
  change(entries: Entries): void
  /** Null: the password is not asked for. */
  range: PasswordRange | null
  /** It was sent, so that what is empty is wrong, too. */
  wasTried: boolean
  /** Why the server did not take it. */
  failure: unknown
  /** For somebody else: browsers must not offer to fill it in, nor to remember it. */
  isForOther?: boolean
  /** Between the address and the password. */
  children?: ReactNode
}

/** Name, address and password of an account that is to be made. */
export function AccountFields({ entries, change, range, wasTried, failure, isForOther, children }: Props) {
  const { t } = useTranslation('admin')
  const { visited, leave } = useVisited<FieldName>()
  const wrong = wrongFields(entries, range)
  const refused = failure instanceof ApiError ? failure.body.field : undefined
  const limits = { min: number(range?.min ?? 0, language), max: number(range?.max ?? 0, language) }
  const controls = (name: FieldName) => ({
    name,
    required: true,
    value: entries[name],
    onChange: ({ target }: { target: HTMLInputElement }) => change({ ...entries, [name]: target.value }),
    onBlur: leave(name),
  })
  const errorOf = (name: FieldName) => {
    if ((wasTried || visited.has(name)) && wrong.includes(name)) return t(`account.wrong.${name}`, limits)
    return refused === name ? t('account.refused') : null
  }
  return (
    <>
      <Field label={t('account.username')} hint={t('account.username-rule')} error={errorOf('username')}>
        {(control) => (
          <input
            {...control}
            {...controls('username')}
            autoComplete={isForOther ? 'off' : 'username'}
            autoCapitalize="none"
            spellCheck={false}
            dir="ltr"
          />
        )}
      </Field>
      <Field label={t('account.email')} error={errorOf('email')}>
        {(control) => (
          <input
            {...control}
            {...controls('email')}
            type="email"
            autoComplete={isForOther ? 'off' : 'email'}
            dir="ltr"
          />
        )}
      </Field>
      {children}
      {range && (
        <Field label={t('account.password')} hint={t('account.password-rule', limits)} error={errorOf('password')}>
          {(control) => <PasswordInput {...control} {...controls('password')} autoComplete="new-password" />}
        </Field>
      )}
    </>
  )
}
