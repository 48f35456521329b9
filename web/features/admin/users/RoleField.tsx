import { useTranslation } from 'react-i18next'
import type { Account } from '#shared/api'
import { SelectField } from '../../../forms/SelectField.js'
import { ROLES } from '../user-query.js'

type Role = Account['role']

interface Props {
  role: Role
  hint: string
  disabled?: boolean
  change(role: Role): void
}

export function RoleField({ role, hint, disabled, change }: Props) {
  const { t } = useTranslation('admin')
  return (
    <SelectField
      label={t('role.label')}
      hint={hint}
      disabled={disabled}
      value={role}
      onChange={({ target }) => change(ROLES.find((each) => each === target.value) ?? role)}
    >
      {ROLES.map((each) => (
        <option key={each} value={each}>
          {t(`role.${each}`)}
        </option>
      ))}
    </SelectField>
  )
}
