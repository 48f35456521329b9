import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { HiddenUsername } from '../../forms/HiddenUsername.js'
import { PasswordField } from '../../forms/PasswordField.js'
import type { PasswordInput } from '../../forms/PasswordInput.js'
import type { Form } from '../../forms/use-form.js'
import { useAccount } from '../../lib/session/require-session.js'

interface Props extends Pick<ComponentProps<typeof PasswordInput>, 'name' | 'value' | 'onChange' | 'onBlur'> {
  form: Pick<Form<'currentPassword'>, 'fieldError'>
  hint?: string
}

/** Asks for the password of the account before a change. */
export function CurrentPasswordField({ form, hint, ...input }: Props) {
  const { t } = useTranslation('account')
  const { username } = useAccount()
  const error = form.fieldError('currentPassword', t('settings.current-missing'))
  return (
    <>
      <HiddenUsername username={username} />
      <PasswordField
        label={t('settings.current')}
        hint={hint}
        error={error}
        {...input}
        dir="ltr"
        autoComplete="current-password"
        required
      />
    </>
  )
}
