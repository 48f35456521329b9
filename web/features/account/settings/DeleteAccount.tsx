import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { ApiError } from '#shared/client/client'
import { Card } from '../../../components/Card.js'
import { PasswordField } from '../../../forms/PasswordField.js'
import { TypeToConfirmDialog } from '../../../forms/TypeToConfirmDialog.js'
import { errorMessage } from '../../../lib/error-message.js'
import { paths } from '../../../lib/paths.js'
import { useAccount } from '../../../lib/session/require-session.js'
import { useDeferredState } from '../../../lib/use-deferred-state.js'
import { deleteAccount } from '../account-api.js'

export function DeleteAccount() {
  const { t } = useTranslation('account')
  const [isAsking, setAsking] = useDeferredState(false)
  return (
    <Card heading={t('delete.heading')}>
      <p className="hint">{t('delete.explanation')}</p>
      <p>
        <button type="button" className="button danger" onClick={() => setAsking(true)}>
          {t('delete.open')}
        </button>
      </p>
      {isAsking && <DeleteAccountDialog onClosed={() => setAsking(false)} />}
    </Card>
  )
}

/** Asks for the username and, if the account has one, the password. */
function DeleteAccountDialog({ onClosed }: { onClosed(): void }) {
  const { t } = useTranslation('account')
  const { username, hasPassword } = useAccount()
  const navigate = useNavigate()
  const [password, setPassword] = useState('')
  return (
    <TypeToConfirmDialog
      name={username}
      heading={t('delete.question', { username })}
      explanation={
        <>
          <p>{t('delete.what')}</p>
          <ul className="bullets">
            <li>{t('delete.secrets')}</li>
            <li>{t('delete.tokens')}</li>
            <li>{t('delete.sessions')}</li>
          </ul>
        </>
      }
      label={t('delete.username')}
      mismatch={t('delete.username-wrong')}
      cancelLabel={t('delete.keep')}
      submitLabel={t('delete.action')}
      busyLabel={t('delete.busy')}
      serverFields={['password']}
      onConfirmed={async () => {
        await deleteAccount(hasPassword ? { password } : {})
        await navigate(paths.signOut, { state: { isDeleted: true } })
      }}
      onClosed={onClosed}
    >
      {(error) =>
        hasPassword && (
          <PasswordField
            label={t('delete.password')}
            error={isPasswordError(error) ? errorMessage(error) : null}
            autoComplete="current-password"
            value={password}
            onChange={({ target }) => setPassword(target.value)}
          />
        )
      }
    </TypeToConfirmDialog>
  )
}

const isPasswordError = (error: unknown): boolean => error instanceof ApiError && error.body.field === 'password'
