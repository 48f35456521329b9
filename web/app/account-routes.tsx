/** What shows where in the account area, and the screen that makes the first account. */
import type { RouteObject } from 'react-router'
import { AccountFrame } from '../features/account/AccountLayout.js'
import { identities, sessions, tokens } from '../features/account/account-api.js'
import { ownSecrets } from '../features/account/secrets/load.js'
import { paths } from '../lib/paths.js'
import { ACCOUNT, loadAccount, signedIn } from '../lib/session/require-session.js'
import { ErrorScreen } from './ErrorPage.js'
import { later, screen } from './lazy-route.js'

const waysIn = async () => {
  const [open, connected] = await Promise.all([sessions(), identities()])
  return { sessions: open, identities: connected }
}

const details = {
  loader: signedIn(tokens),
  ...screen('account', () => import('../features/account/AccountDetailsPage.js')),
}

export const accountRoutes: RouteObject[] = [
  { path: paths.setUp, ...screen('admin', () => import('../features/admin/setup/SetUpPage.js')) },
  {
    id: ACCOUNT,
    path: paths.account,
    loader: loadAccount,
    errorElement: <ErrorScreen />,
    ...screen('account', async () => ({ default: AccountFrame })),
    children: [
      {
        errorElement: <ErrorScreen />,
        children: [
          { index: true, ...details },
          { path: paths.accountDetails, ...details },
          { path: paths.users, ...screen('admin', () => import('../features/admin/users/users.js')) },
          {
            path: paths.instanceSettings,
            ...screen('admin', () => import('../features/admin/settings/instance-settings.js')),
          },
          {
            path: paths.ownSecrets,
            loader: signedIn(ownSecrets),
            ...screen('account', () => import('../features/account/secrets/OwnSecretsPage.js')),
          },
          {
            path: paths.accountSettings,
            loader: signedIn(waysIn),
            ...screen('account', () => import('../features/account/settings/AccountSettingsPage.js')),
          },
          {
            path: paths.accountPrivacy,
            loader: later(async () => (await import('../features/legal/load.js')).privacyText),
            ...screen('legal', async () => ({ default: (await import('../features/legal/LegalPage.js')).Privacy })),
          },
          {
            path: paths.accountTerms,
            loader: later(async () => (await import('../features/legal/load.js')).termsText),
            ...screen('legal', async () => ({ default: (await import('../features/legal/LegalPage.js')).Terms })),
          },
        ],
      },
    ],
  },
]
