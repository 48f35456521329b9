import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatKept, NOTHING_KEPT } from '../../../forms/lock-out/kept-access.js'
import { LockOutForm } from '../../../forms/lock-out/LockOutForm.js'
import { useFormDialog } from '../../../forms/use-form-dialog.js'
import { useAccount } from '../../../lib/session/require-session.js'
import { sessionStore } from '../../../lib/session/session-store.js'
import { useLoaded } from '../../../lib/use-loaded.js'
import { listAccess, lockOut } from '../account-api.js'
import { PasswordFields } from './PasswordFields.js'
import { PASSWORDS, type PasswordName, usePasswords } from './use-passwords.js'

type FieldName = PasswordName | 'identities'

interface Props {
  /** Id of the session of this page, which stays. */
  ownSession: string | undefined
  /** `kept`: names of the kept access. */
  onDone(kept: string): void
  onClosed(): void
}

/** Asks what to keep and, if the account has a password, for the current and a new one. */
export function LockOutDialog({ ownSession, onDone, onClosed }: Props) {
  const { t } = useTranslation('account')
  const loaded = useOthersAccess(ownSession)
  const { value: access } = loaded
  const { hasPassword } = useAccount()
  const [kept, setKept] = useState(NOTHING_KEPT)
  const passwords = usePasswords()
  const form = useFormDialog<FieldName>({
    invalid: hasPassword ? passwords.invalid : kept.identities.length > 0 ? [] : ['identities'],
    serverFields: PASSWORDS,
    async send() {
      if (access === null) return false
      await lockOut({ keep: kept, ...(hasPassword && passwords.values) })
      sessionStore.notify()
      onDone(formatKept(access, kept))
    },
  })
  return (
    <LockOutForm
      form={form}
      heading={t('access:lock-out')}
      cancelLabel={t('tokens.cancel')}
      loaded={loaded}
      kept={kept}
      onChange={setKept}
      keepError={form.isInvalid('identities') ? t('lock-out.last-way') : null}
      onClosed={onClosed}
    >
      {hasPassword && <PasswordFields form={form} passwords={passwords} />}
    </LockOutForm>
  )
}

/** The current access to the account, except the session of this page. */
function useOthersAccess(ownSession: string | undefined) {
  const { value: access, error } = useLoaded(listAccess)
  const sessions = access?.sessions.filter(({ id }) => id !== ownSession) ?? []
  return { value: access && { ...access, sessions }, error }
}
