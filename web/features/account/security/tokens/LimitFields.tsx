import { useTranslation } from 'react-i18next'
import { InputField } from '../../../../forms/InputField.js'
import { formatNumber } from '../../../../lib/format.js'
import { language } from '../../../../lib/i18n.js'
import { LIMIT_MAX, type LimitValues, TOKEN_LIMITS, type TokenLimit } from './token-limits.js'

interface Props {
  limits: LimitValues
  change(limits: LimitValues): void
  /** These show that their value is invalid. */
  invalid: TokenLimit[]
}

/** Upper limits of a token that can only create secrets. */
export function LimitFields({ limits, change, invalid }: Props) {
  const { t } = useTranslation('account')
  return (
    <div className="row">
      {TOKEN_LIMITS.map((name) => (
        <InputField
          key={name}
          label={t(`tokens.limit.${name}`)}
          optional
          hint={t(`tokens.limit-hint.${name}`)}
          error={
            invalid.includes(name) ? t('tokens.limit-wrong', { max: formatNumber(LIMIT_MAX[name], language) }) : null
          }
          name={name}
          inputMode="numeric"
          dir="ltr"
          value={limits[name]}
          onChange={({ target }) => change({ ...limits, [name]: target.value })}
        />
      ))}
    </div>
  )
}
