import { useTranslation } from 'react-i18next'
import { useLoaderData } from 'react-router'
import type { Factors, Identities, Session, Token } from '#shared/api'
import { ApiError } from '#shared/client/client'
import { Page } from '../../../components/Page.js'
import { requireSession } from '../../../lib/session/require-session.js'
import { sessionName } from '../../../lib/session-name.js'
import { listIdentities, listSessions, listTokens } from '../account-api.js'
import { ConnectedProviders } from './ConnectedProviders.js'
import { FactorPolicyNotice } from './factors/FactorPolicyNotice.js'
import { FactorSections } from './factors/FactorSections.js'
import { listFactors } from './factors/factors-api.js'
import { KnownDevices } from './KnownDevices.js'
import { LockOut } from './LockOut.js'
import { PasswordSection } from './PasswordSection.js'
import { SessionList } from './SessionList.js'
import { TokensCard } from './tokens/TokensCard.js'

interface Access {
  sessions: Session[]
  identities: Identities
  tokens: Token[]
}

interface Security {
  factors: Factors
  /** Null: the account first has to get a second factor. */
  access: Access | null
}

export const loader = requireSession(async (): Promise<Security> => {
  const [factors, access] = await Promise.all([listFactors(), loadAccess().catch(toNullWhileRestricted)])
  return { factors, access }
})

async function loadAccess(): Promise<Access> {
  const [sessions, identities, tokens] = await Promise.all([listSessions(), listIdentities(), listTokens()])
  return { sessions, identities, tokens }
}

function toNullWhileRestricted(error: unknown): null {
  if (error instanceof ApiError && error.code === 'auth.factor_enrolment_required') return null
  throw error
}

/** How the user signs in, and everything that can use the account. */
export default function SecurityPage() {
  const { t } = useTranslation('account')
  const { factors, access } = useLoaderData<Security>()
  const client = access?.sessions.find(({ current }) => current)?.client
  return (
    <Page wide heading={t('menu.security')}>
      <FactorPolicyNotice factors={factors} />
      <FactorSections factors={factors} suggestedName={client ? sessionName(client) : ''} />
      <PasswordSection />
      {access && (
        <>
          <ConnectedProviders identities={access.identities} />
          <SessionList sessions={access.sessions} />
          {access.sessions.length > 0 && <KnownDevices />}
          <TokensCard tokens={access.tokens} />
          <LockOut sessions={access.sessions} />
        </>
      )}
    </Page>
  )
}
