import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Account } from '#shared/api'
import { Field } from '../../../forms/Field.js'
import { FormDialog } from '../../../forms/FormDialog.js'
import { NO_ENTRIES, passwordRange, trimmed, wrongFields } from '../../../forms/validate-account.js'
import { useSettings } from '../../../lib/settings.js'
import { AccountFields } from '../AccountFields.js'
import { createUser } from '../admin-api.js'
import { ROLES } from './user-query.js'

/** Somebody's new account, and how they get in. */
export interface NewAccount {
  username: string
  password: string
  /** Nobody has seen the password yet. */
  isGenerated: boolean
}

interface Props {
  onAdded(account: NewAccount): void
  onClosed(): void
}

export function AddUser({ onAdded, onClosed }: Props) {
  const { t } = useTranslation('admin')
  const { limits } = useSettings().settings
  const id = useId()
  const [entries, setEntries] = useState(NO_ENTRIES)
  const [role, setRole] = useState<Account['role']>('user')
  const [isGenerated, setGenerated] = useState(true)
  const [wasTried, setTried] = useState(false)
  const range = isGenerated ? null : passwordRange(limits, role === 'admin')
  const check = () => {
    setTried(true)
    return wrongFields(entries, range).length === 0
  }
  const add = async () => {
    const { passphrase } = await import('#shared/passphrase')
    const password = isGenerated ? passphrase() : entries.password
    const { username } = await createUser({ ...trimmed(entries), password, role })
    onAdded({ username, password, isGenerated })
    return true
  }
  return (
    <FormDialog
      heading={t('add.heading')}
      keep={t('cancel')}
      act={t('add.action')}
      busy={t('add.busy')}
      check={check}
      onSubmit={add}
      onClosed={onClosed}
    >
      {(failure) => (
        <AccountFields
          isForOther
          entries={entries}
          change={setEntries}
          range={range}
          wasTried={wasTried}
          failure={failure}
        >
          <Field label={t('role.label')} hint={t('role.hint')}>
            {(control) => (
              <select
                {...control}
                value={role}
                onChange={({ target }) => setRole(ROLES.find((each) => each === target.value) ?? 'user')}
              >
                {ROLES.map((each) => (
                  <option key={each} value={each}>
                    {t(`role.${each}`)}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <fieldset className="stack">
            <legend>{t('account.password')}</legend>
            <div className="check">
              <input
                id={`${id}-generate`}
                type="radio"
                name={id}
                aria-describedby={`${id}-hint`}
                checked={isGenerated}
                onChange={() => setGenerated(true)}
              />
              <div>
                <label htmlFor={`${id}-generate`}>{t('add.generate')}</label>
                <p className="hint" id={`${id}-hint`}>
                  {t('add.generate-hint')}
                </p>
              </div>
            </div>
            <div className="check">
              <input
                id={`${id}-type`}
                type="radio"
                name={id}
                checked={!isGenerated}
                onChange={() => setGenerated(false)}
              />
              <label htmlFor={`${id}-type`}>{t('add.type')}</label>
            </div>
          </fieldset>
        </AccountFields>
      )}
    </FormDialog>
  )
}
