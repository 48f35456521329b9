import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { ApiError } from '#shared/client'
import { Field } from '../../../forms/Field.js'
import { PasswordInput } from '../../../forms/PasswordInput.js'
import { DeleteByName } from '../../../forms/TypeToConfirmDialog.js'
import { errorText } from '../../../lib/error-message.js'
import { paths } from '../../../lib/paths.js'
import { useAccount } from '../../../lib/session/require-session.js'
import { remove } from '../account-api.js'

export function DeleteAccount() {
  const { t } = useTranslation('account')
  const id = useId()
  const [isAsking, setAsking] = useState(false)
  return (
    <section className="card" aria-labelledby={id}>
      <h2 id={id}>{t('delete.heading')}</h2>
      <p className="hint">{t('delete.explanation')}</p>
      <p>
        <button type="button" className="button danger" onClick={() => setAsking(true)}>
          {t('delete.open')}
        </button>
      </p>
      {isAsking && <Question onClosed={() => setAsking(false)} />}
    </section>
  )
}

/** Nothing is deleted until somebody has typed what it is called and what only they know. */
function Question({ onClosed }: { onClosed(): void }) {
  const { t } = useTranslation('account')
  const { username, hasPassword } = useAccount()
  const navigate = useNavigate()
  const [password, setPassword] = useState('')
  const ofPassword = (failure: unknown) => failure instanceof ApiError && failure.body.field === 'password'
  return (
    <DeleteByName
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
      otherName={t('delete.username-wrong')}
      keep={t('delete.keep')}
      act={t('delete.action')}
      busy={t('delete.busy')}
      fields={['password']}
      onDelete={async () => {
        await remove(hasPassword ? { password } : {})
        await navigate(paths.signOut, { state: { isDeleted: true } })
      }}
      onClosed={onClosed}
    >
      {(failure) =>
        hasPassword && (
          <Field label={t('delete.password')} error={ofPassword(failure) ? errorText(failure) : null}>
            {(control) => (
              <PasswordInput
                {...control}
                autoComplete="current-password"
                value={password}
                onChange={({ target }) => setPassword(target.value)}
              />
            )}
          </Field>
        )
      }
    </DeleteByName>
  )
}
