import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLoaderData } from 'react-router'
import type { Identities, Session } from '#shared/api'
import { Page } from '../../../components/Page.js'
import { Connections } from './ConnectedProviders.js'
import { IdentityForm } from './CredentialsForm.js'
import { DeleteAccount } from './DeleteAccount.js'
import { Sessions } from './SessionList.js'

export default function AccountSettings() {
  const { t } = useTranslation('account')
  const [isWrong, setWrong] = useState(false)
  const heading = t('settings.heading')
  const { sessions, identities } = useLoaderData<{ sessions: Session[]; identities: Identities }>()
  return (
    <Page heading={heading} title={isWrong ? t('error-title', { title: heading }) : heading}>
      <IdentityForm onWrong={setWrong} />
      <Sessions sessions={sessions} />
      <Connections identities={identities} />
      <DeleteAccount />
    </Page>
  )
}
