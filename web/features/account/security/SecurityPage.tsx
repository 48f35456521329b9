import { useTranslation } from 'react-i18next'
import { useLoaderData } from 'react-router'
import type { Identities, Session, Token } from '#shared/api'
import { ErrorNotice } from '../../../components/ErrorNotice.js'
import { Page } from '../../../components/Page.js'
import { requireSession } from '../../../lib/session/require-session.js'
import { useRedirectError } from '../../../lib/use-redirect-error.js'
import { listIdentities, listSessions, listTokens } from '../account-api.js'
import { ConnectedProviders } from './ConnectedProviders.js'
import { LockOut } from './LockOut.js'
import { PasswordSection } from './PasswordSection.js'
import { SessionList } from './SessionList.js'
import { TokensCard } from './tokens/TokensCard.js'

interface Access {
  sessions: Session[]
  identities: Identities
  tokens: Token[]
}

export const loader = requireSession(async (): Promise<Access> => {
  const [sessions, identities, tokens] = await Promise.all([listSessions(), listIdentities(), listTokens()])
  return { sessions, identities, tokens }
})

/** How the user signs in, and everything that can use the account. */
export default function SecurityPage() {
  const { t } = useTranslation('account')
  const { sessions, identities, tokens } = useLoaderData<Access>()
  return (
    <Page wide heading={t('menu.security')}>
      <ErrorNotice error={useRedirectError()} />
      <PasswordSection />
      <ConnectedProviders identities={identities} />
      <SessionList sessions={sessions} />
      <TokensCard tokens={tokens} />
      <LockOut sessions={sessions} />
    </Page>
  )
}
