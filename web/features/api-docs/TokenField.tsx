import { useTranslation } from 'react-i18next'
import { Field } from '../../forms/Field.js'
import { PasswordInput } from '../../forms/PasswordInput.js'

/** The token is kept in the memory of this page only. */
export function TokenField({ token, onChange }: { token: string; onChange(token: string): void }) {
  const { t } = useTranslation('api-docs')
  return (
    <Field label={t('token.label')} optional hint={t('token.hint')}>
      {(control) => (
        <PasswordInput
          {...control}
          autoComplete="off"
          value={token}
          onChange={({ target }) => onChange(target.value.trim())}
        />
      )}
    </Field>
  )
}
