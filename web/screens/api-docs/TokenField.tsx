import { useTranslation } from 'react-i18next'
import { Field } from '../../parts/Field.js'
import { PasswordInput } from '../../parts/PasswordInput.js'

/** In the memory of this page only. */
export function TokenField({ token, onChange }: { token: string; onChange(token: string): void }) {
  const { t } = useTranslation('api')
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
