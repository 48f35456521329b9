import { useTranslation } from 'react-i18next'
import { PasswordField } from '../../forms/PasswordField.js'

/** The token is kept in the memory of this page only. */
export function TokenField({ token, onChange }: { token: string; onChange(token: string): void }) {
  const { t } = useTranslation('api-docs')
  return (
    <PasswordField
      label={t('token.label')}
      optional
      hint={t('token.hint')}
      autoComplete="off"
      value={token}
      onChange={({ target }) => onChange(target.value.trim())}
    />
  )
}
