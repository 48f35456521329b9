import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Page } from '../../../components/Page.js'
import { DefaultsForm } from './DefaultsForm.js'
import { DeleteAccount } from './DeleteAccount.js'
import { EmailForm } from './EmailForm.js'
import { KeyboardSettings } from './KeyboardSettings.js'
import { NotificationSettings } from './NotificationSettings.js'

export default function AccountSettingsPage() {
  const { t } = useTranslation('account')
  const [hasProblems, setHasProblems] = useState(false)
  return (
    <Page heading={t('settings.heading')} hasError={hasProblems}>
      <EmailForm onProblems={setHasProblems} />
      <DefaultsForm />
      <NotificationSettings />
      <KeyboardSettings />
      <DeleteAccount />
    </Page>
  )
}
