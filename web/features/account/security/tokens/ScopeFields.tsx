import { useTranslation } from 'react-i18next'
import { useAccount } from '../../../../lib/session/require-session.js'
import { allowedScopes, SCOPE_KEYS, type Scope } from './token-scopes.js'

interface Props {
  scopes: Scope[]
  /** Shows that at least one scope is required. */
  isMissing: boolean
  change(scopes: Scope[]): void
}

export function ScopeFields({ scopes, isMissing, change }: Props) {
  const { t } = useTranslation('account')
  const { role } = useAccount()
  return (
    <fieldset aria-describedby={isMissing ? 'scopes-missing' : undefined}>
      <legend>{t('tokens.scopes')}</legend>
      {allowedScopes(role).map((scope) => (
        <label key={scope} className="choice">
          <input
            type="checkbox"
            name="scope"
            checked={scopes.includes(scope)}
            onChange={({ target }) =>
              change(target.checked ? [...scopes, scope] : scopes.filter((each) => each !== scope))
            }
          />
          {t(`tokens.scope.${SCOPE_KEYS[scope]}`)}
        </label>
      ))}
      {isMissing && (
        <p className="error" id="scopes-missing">
          {t('tokens.scopes-missing')}
        </p>
      )}
    </fieldset>
  )
}
