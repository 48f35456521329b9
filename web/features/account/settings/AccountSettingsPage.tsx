import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLoaderData } from 'react-router'
import type { Identities, Session } from '#shared/api'
import { Page } from '../../../components/Page.js'
import { requireSession } from '../../../lib/session/require-session.js'
import { listIdentities, listSessions } from '../account-api.js'
import { ConnectedProviders } from './ConnectedProviders.js'
import { CredentialsForm } from './CredentialsForm.js'
import { DeleteAccount } from './DeleteAccount.js'
import { KeyboardSettings } from './KeyboardSettings.js'
import { LockOut } from './LockOut.js'
import { NotificationSettings } from './NotificationSettings.js'
import { SessionList } from './SessionList.js'

interface Settings {
  sessions: Session[]
  identities: Identities
}

export const loader = requireSession(async (): Promise<Settings> => {
  const [sessions, identities] = await Promise.all([listSessions(), listIdentities()])
  return { sessions, identities }
})

export default function AccountSettingsPage() {
  const { t } = useTranslation('account')
  const [hasProblems, setHasProblems] = useState(false)
  const { sessions, identities } = useLoaderData<Settings>()
  return (
    <Page heading={t('settings.heading')} hasError={hasProblems}>
      <CredentialsForm onProblems={setHasProblems} />
      <SessionList sessions={sessions} />
      <NotificationSettings />
      <KeyboardSettings />
      <ConnectedProviders identities={identities} />
      <LockOut sessions={sessions} />
      <DeleteAccount />
    </Page>
  )
}
