import { type FormEvent, type RefObject, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { ApiError } from '#shared/client'
import { errorText } from '../../../error-text.js'
import { Field } from '../../../parts/Field.js'
import { PasswordInput } from '../../../parts/PasswordInput.js'
import { paths } from '../../../paths.js'
import { FailureNotice } from '../../people/FailureNotice.js'
import { useSubmit } from '../../people/use-submit.js'
import { remove } from '../calls.js'
import { useAccount } from '../signed-in.js'

export function DeleteAccount() {
  const { t } = useTranslation('account')
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  return (
    <section className="card" aria-labelledby={id}>
      <h2 id={id}>{t('delete.heading')}</h2>
      <p className="hint">{t('delete.explanation')}</p>
      <p>
        <button type="button" className="button danger" onClick={() => dialog.current?.showModal()}>
          {t('delete.open')}
        </button>
      </p>
      <Dialog dialog={dialog} />
    </section>
  )
}

/** Nothing is deleted until somebody has typed what it is called and what only they know. */
function Dialog({ dialog }: { dialog: RefObject<HTMLDialogElement | null> }) {
  const { t } = useTranslation('account')
  const { username, hasPassword } = useAccount()
  const navigate = useNavigate()
  const id = useId()
  const [typed, setTyped] = useState('')
  const [password, setPassword] = useState('')
  const [wasTried, setTried] = useState(false)
  const { submit, isBusy, failure } = useSubmit(async () => {
    await remove(hasPassword ? { password } : {})
    await navigate(paths.signOut, { state: { isDeleted: true } })
  })
  const isOther = typed.trim().toLowerCase() !== username
  const isRefused = failure instanceof ApiError && failure.body.field === 'password'
  const close = () => dialog.current?.close()
  const forget = () => {
    setTyped('')
    setPassword('')
    setTried(false)
  }
  const send = (event: FormEvent<HTMLFormElement>) => {
    setTried(true)
    if (!isOther) return void submit(event)
    event.preventDefault()
    event.currentTarget.querySelector('input')?.focus()
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does what a click on the backdrop does
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onClose={forget}
      onClick={(event) => event.target === dialog.current && close()}
    >
      <form className="dialog stack" noValidate onSubmit={send}>
        <h2 id={id}>{t('delete.question', { username })}</h2>
        <p>{t('delete.what')}</p>
        <ul className="bullets">
          <li>{t('delete.secrets')}</li>
          <li>{t('delete.tokens')}</li>
          <li>{t('delete.sessions')}</li>
        </ul>
        <FailureNotice failure={isRefused ? null : failure} />
        <Field label={t('delete.username')} error={wasTried && isOther ? t('delete.username-wrong') : null}>
          {(control) => (
            <input
              {...control}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              dir="ltr"
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
            />
          )}
        </Field>
        {hasPassword && (
          <Field label={t('delete.password')} error={isRefused ? errorText(failure) : null}>
            {(control) => (
              <PasswordInput
                {...control}
                autoComplete="current-password"
                value={password}
                onChange={({ target }) => setPassword(target.value)}
              />
            )}
          </Field>
        )}
        <div className="actions end">
          <button type="button" className="button" onClick={close}>
            {t('delete.keep')}
          </button>
          <button type="submit" className="button danger solid" aria-disabled={isBusy}>
            {t(isBusy ? 'delete.busy' : 'delete.action')}
          </button>
        </div>
      </form>
    </dialog>
  )
}
