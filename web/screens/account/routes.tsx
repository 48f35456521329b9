/** What shows where in the account area, and the screen that makes the first account. */
import type { RouteObject } from 'react-router'
import { paths } from '../../paths.js'
import { later, screen } from '../../screen.js'
import { ErrorScreen } from '../ErrorScreen.js'
import { AccountFrame } from './AccountFrame.js'
import { identities, sessions, tokens } from './calls.js'
import { ownSecrets } from './secrets/load.js'
import { ACCOUNT, loadAccount, signedIn } from './signed-in.js'

const waysIn = async () => {
  const [open, connected] = await Promise.all([sessions(), identities()])
  return { sessions: open, identities: connected }
}

const details = {
  loader: signedIn(tokens),
  ...screen('account', () => import('./Details.js')),
}

export const accountRoutes: RouteObject[] = [
  { path: paths.setUp, ...screen('admin', () => import('../setup/SetUp.js')) },
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
          { path: paths.users, ...screen('admin', () => import('../users/users.js')) },
          {
            path: paths.instanceSettings,
            ...screen('admin', () => import('../instance-settings/instance-settings.js')),
          },
          {
            path: paths.ownSecrets,
            loader: signedIn(ownSecrets),
            ...screen('account', () => import('./secrets/OwnSecrets.js')),
          },
          {
            path: paths.accountSettings,
            loader: signedIn(waysIn),
            ...screen('account', () => import('./settings/AccountSettings.js')),
          },
          {
            path: paths.accountPrivacy,
            loader: later(async () => (await import('../legal/load.js')).privacyText),
            ...screen('legal', async () => ({ default: (await import('../legal/Legal.js')).Privacy })),
          },
          {
            path: paths.accountTerms,
            loader: later(async () => (await import('../legal/load.js')).termsText),
            ...screen('legal', async () => ({ default: (await import('../legal/Legal.js')).Terms })),
          },
        ],
      },
    ],
  },
]
