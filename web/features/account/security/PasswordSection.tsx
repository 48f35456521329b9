import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRevalidator } from 'react-router'
import { Card } from '../../../components/Card.js'
import { FormDialog } from '../../../forms/FormDialog.js'
import { useFormDialog } from '../../../forms/use-form-dialog.js'
import { useAccount } from '../../../lib/session/require-session.js'
import { sessionStore } from '../../../lib/session/session-store.js'
import { useDeferredState } from '../../../lib/use-deferred-state.js'
import { updateAccount } from '../account-api.js'
import { PasswordFields } from './PasswordFields.js'
import { PASSWORDS, type PasswordName, usePasswords } from './use-passwords.js'

/** Nothing for accounts that sign in only with another service. */
export function PasswordSection() {
  const { t } = useTranslation('account')
  const { hasPassword } = useAccount()
  const [isOpen, setOpen] = useDeferredState(false)
  const [message, setMessage] = useState('')
  if (!hasPassword) return null
  const open = () => {
    setMessage('')
    setOpen(true)
  }
  return (
    <Card
      heading={t('settings.password')}
      action={
        <button type="button" className="button" onClick={open}>
          {t('settings.new-legend')}
        </button>
      }
      outcome={{ message }}
    >
      {isOpen && <PasswordDialog onDone={() => setMessage(t('settings.done'))} onClosed={() => setOpen(false)} />}
    </Card>
  )
}

function PasswordDialog({ onDone, onClosed }: { onDone(): void; onClosed(): void }) {
  const { t } = useTranslation('account')
  const { revalidate } = useRevalidator()
  const passwords = usePasswords()
  const { values, invalid } = passwords
  const form = useFormDialog<PasswordName>({
    invalid,
    serverFields: [...PASSWORDS],
    async send() {
      // The field can show the password, so it is typed once.
      await updateAccount({ ...values, confirmNewPassword: values.newPassword })
      sessionStore.notify()
      onDone()
      void revalidate()
    },
  })
  return (
    <FormDialog
      form={form}
      heading={t('settings.new-legend')}
      cancelLabel={t('tokens.cancel')}
      submitLabel={t('settings.new-legend')}
      busyLabel={t('settings.busy')}
      onClosed={onClosed}
    >
      <PasswordFields form={form} passwords={passwords} hint="new-hint" />
    </FormDialog>
  )
}
