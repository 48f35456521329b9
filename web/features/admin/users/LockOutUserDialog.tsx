import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListedUser } from '#shared/api'
import { CheckField } from '../../../forms/CheckField.js'
import { NOTHING_KEPT } from '../../../forms/lock-out/kept-access.js'
import { LockOutForm } from '../../../forms/lock-out/LockOutForm.js'
import { useFormDialog } from '../../../forms/use-form-dialog.js'
import { passphrasePart } from '../../../lib/passphrase-part.js'
import { useLoaded } from '../../../lib/use-loaded.js'
import { adminApi } from '../admin-api.js'
import type { NewUser } from './AddUserDialog.js'

interface Props {
  user: ListedUser
  /** `credentials`: null without a new password. */
  onLockedOut(credentials: NewUser | null): void
  onClosed(): void
}

/** Locks everyone out of an account, with a new password unless the administrator leaves the old one. */
export function LockOutUserDialog({ user: { username, hasPassword }, onLockedOut, onClosed }: Props) {
  const { t } = useTranslation('admin')
  const loaded = useLoaded(useCallback(() => adminApi.listAccess(username), [username]))
  const [kept, setKept] = useState(NOTHING_KEPT)
  const [setsPassword, setSetsPassword] = useState(hasPassword)
  const canSignIn = hasPassword || setsPassword || kept.identities.length > 0
  const form = useFormDialog<'password'>({
    invalid: canSignIn ? [] : ['password'],
    async send() {
      if (loaded.value === null) return false
      const { passphrase } = await passphrasePart.load()
      const password = setsPassword ? passphrase() : null
      await adminApi.lockOut({ username, keep: kept, ...(password !== null && { password }) })
      onLockedOut(password === null ? null : { username, password, isGenerated: true })
    },
  })
  return (
    <LockOutForm
      form={form}
      heading={t('users.lock-out', { username })}
      explanation={<p>{t('lock-out.explanation')}</p>}
      cancelLabel={t('cancel')}
      loaded={loaded}
      kept={kept}
      onChange={setKept}
      onClosed={onClosed}
    >
      <CheckField
        name="password"
        label={t('lock-out.password')}
        hint={t('lock-out.password-hint')}
        checked={setsPassword}
        onChange={setSetsPassword}
      />
      {form.isInvalid('password') && (
        <p className="error" role="alert">
          {t('lock-out.last-way')}
        </p>
      )}
    </LockOutForm>
  )
}
