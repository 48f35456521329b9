import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AuthenticatorSetup } from '#shared/api'
import { CopyButton } from '../../../../components/CopyButton.js'
import { ErrorNotice } from '../../../../components/ErrorNotice.js'
import { Loading } from '../../../../components/Loading.js'
import { encodeQr, QrImage } from '../../../../components/qr/QrImage.js'
import { FormDialog } from '../../../../forms/FormDialog.js'
import { CodeField } from '../../../../forms/InputField.js'
import { useFormDialog } from '../../../../forms/use-form-dialog.js'
import { useLoaded } from '../../../../lib/use-loaded.js'
import { addAuthenticator, startAuthenticatorSetup } from './factors-api.js'

interface Props {
  /** `recoveryCodes`: created with the account's first factor. */
  onAdded(recoveryCodes: string[] | null): void
  onClosed(): void
}

/** Shows the key for the app as text and as a QR code, and asks for the first code of the app. */
export function AuthenticatorDialog({ onAdded, onClosed }: Props) {
  const { t } = useTranslation('security')
  const { value: setup, error } = useLoaded(startAuthenticatorSetup)
  const [values, setValues] = useState({ code: '' })
  const code = values.code.replace(/\s/g, '')
  const form = useFormDialog<'code'>({
    invalid: /^\d{6}$/.test(code) ? [] : ['code'],
    serverFields: ['code'],
    async send() {
      if (setup === null) return false
      const { recoveryCodes } = await addAuthenticator({ setup: setup.setup, code })
      onAdded(recoveryCodes)
    },
  })
  const isLoading = setup === null && error === null
  return (
    <FormDialog
      form={form}
      heading={t('authenticator.set-up')}
      cancelLabel={t('account:tokens.cancel')}
      submitLabel={t('authenticator.confirm')}
      busyLabel={t('account:settings.busy')}
      isReady={setup !== null}
      isLoading={isLoading}
      onClosed={onClosed}
    >
      <ErrorNotice error={error} />
      {isLoading && <Loading />}
      {setup && (
        <>
          <p>{t('authenticator.scan')}</p>
          <Secret {...setup} />
          <CodeField
            label={t('authenticator.code')}
            error={form.fieldError('code', t('authenticator.code-wrong'))}
            {...form.inputProps('code', values, setValues)}
            autoComplete="one-time-code"
            inputMode="numeric"
            required
          />
        </>
      )}
    </FormDialog>
  )
}

function Secret({ uri, secret }: Pick<AuthenticatorSetup, 'uri' | 'secret'>) {
  const { t } = useTranslation('security')
  const [code] = useState(() => encodeQr(uri))
  return (
    <>
      <div className="qr">
        <QrImage code={code} name={t('authenticator.qr')} />
      </div>
      <h3>{t('authenticator.key')}</h3>
      <code className="link-box" translate="no">
        {secret.replace(/(.{4})(?=.)/g, '$1 ')}
      </code>
      <div className="actions">
        <CopyButton text={secret}>{t('authenticator.copy')}</CopyButton>
      </div>
    </>
  )
}
