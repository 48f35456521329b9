import { useTranslation } from 'react-i18next'
import { Field } from '../../../forms/Field.js'
import { number } from '../../../lib/format.js'
import { language } from '../../../lib/i18n.js'
import { LIMIT_MAX, LIMITS, type Limit, type Limits } from './token-limits.js'

interface Props {
  limits: Limits
  change(limits: Limits): void
  /** Those that say that they are not taken. */
  wrong: Limit[]
}

/** For a token that can do nothing but create: how much of it. */
export function LimitFields({ limits, change, wrong }: Props) {
  const { t } = useTranslation('account')
  return (
    <div className="row">
      {LIMITS.map((name) => (
        <Field
          key={name}
          label={t(`tokens.limit.${name}`)}
          optional
          hint={t(`tokens.limit-hint.${name}`)}
          error={wrong.includes(name) ? t('tokens.limit-wrong', { max: number(LIMIT_MAX[name], language) }) : null}
        >
          {(control) => (
            <input
              {...control}
              name={name}
              inputMode="numeric"
              autoComplete="off"
              dir="ltr"
              value={limits[name]}
              onChange={({ target }) => change({ ...limits, [name]: target.value })}
            />
          )}
        </Field>
      ))}
    </div>
  )
}
