import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Account } from '#shared/api'
import { FormDialog } from '../../../forms/FormDialog.js'
import { useFormDialog } from '../../../forms/use-form-dialog.js'
import {
  ACCOUNT_FIELDS,
  type AccountField,
  EMPTY_ACCOUNT,
  invalidAccountFields,
  passwordRange,
  trimAccount,
} from '../../../forms/validate-account.js'
import { passphrasePart } from '../../../lib/passphrase-part.js'
import { useSettings } from '../../../lib/settings.js'
import { AccountFields } from '../AccountFields.js'
import { adminApi } from '../admin-api.js'
import { GroupsField, parseGroups } from './GroupsField.js'
import { RoleField } from './RoleField.js'

/** A user that was just created, and their credentials. */
export interface NewUser {
  username: string
  password: string
  /** Whether the password was generated instead of typed. */
  isGenerated: boolean
}

interface Props {
  onAdded(user: NewUser): void
  onClosed(): void
}

export function AddUserDialog({ onAdded, onClosed }: Props) {
  const { t } = useTranslation('admin')
  const { limits } = useSettings().settings
  const [values, setValues] = useState(EMPTY_ACCOUNT)
  const [role, setRole] = useState<Account['role']>('user')
  const [isGenerated, setGenerated] = useState(true)
  const [groupsText, setGroupsText] = useState('')
  const groups = parseGroups(groupsText)
  const range = isGenerated ? null : passwordRange(limits, role === 'admin')
  const form = useFormDialog<AccountField | 'groups'>({
    invalid: [...invalidAccountFields(values, range), ...(groups === null ? ['groups' as const] : [])],
    serverFields: [...ACCOUNT_FIELDS, 'groups'],
    async send() {
      const { passphrase } = await passphrasePart.load()
      const password = isGenerated ? passphrase() : values.password
      const { username } = await adminApi.createUser({ ...trimAccount(values), password, role, groups: groups ?? [] })
      onAdded({ username, password, isGenerated })
    },
  })
  return (
    <FormDialog
      form={form}
      heading={t('add.heading')}
      cancelLabel={t('cancel')}
      submitLabel={t('add.action')}
      busyLabel={t('add.busy')}
      onClosed={onClosed}
    >
      <AccountFields isForOther form={form} values={values} change={setValues} range={range}>
        <RoleField role={role} hint={t('role.hint')} change={setRole} />
        <GroupsField form={form} text={groupsText} change={setGroupsText} />
        <PasswordChoice isGenerated={isGenerated} change={setGenerated} />
      </AccountFields>
    </FormDialog>
  )
}

function PasswordChoice({ isGenerated, change }: { isGenerated: boolean; change(isGenerated: boolean): void }) {
  const { t } = useTranslation('admin')
  const id = useId()
  return (
    <fieldset className="stack">
      <legend>{t('account.password')}</legend>
      <div className="check">
        <input
          id={`${id}-generate`}
          type="radio"
          name={id}
          aria-describedby={`${id}-hint`}
          checked={isGenerated}
          onChange={() => change(true)}
        />
        <div>
          <label htmlFor={`${id}-generate`}>{t('add.generate')}</label>
          <p className="hint" id={`${id}-hint`}>
            {t('add.generate-hint')}
          </p>
        </div>
      </div>
      <div className="check">
        <input id={`${id}-type`} type="radio" name={id} checked={!isGenerated} onChange={() => change(false)} />
        <label htmlFor={`${id}-type`}>{t('add.type')}</label>
      </div>
    </fieldset>
  )
}
