/** Routes of the account pages, and of the page that creates the first account. */
import type { RouteObject } from 'react-router'
import { AccountLayout } from '../features/account/AccountLayout.js'
import { paths } from '../lib/paths.js'
import { ACCOUNT_ROUTE_ID, loadAccount } from '../lib/session/require-session.js'
import { ErrorPage } from './ErrorPage.js'
import { lazyRoute } from './lazy-route.js'

const details = lazyRoute('account', () => import('../features/account/details/AccountDetailsPage.js'))

const accountPages: RouteObject[] = [
  { index: true, ...details },
  { path: paths.accountDetails, ...details },
  {
    path: paths.ownSecrets,
    ...lazyRoute('account', () => import('../features/account/secrets/OwnSecretsPage.js')),
  },
  {
    path: paths.accountSettings,
    ...lazyRoute('account', () => import('../features/account/settings/AccountSettingsPage.js')),
  },
  { path: paths.users, ...lazyRoute('admin', () => import('../features/admin/users/UsersPage.js')) },
  {
    path: paths.instanceSettings,
    ...lazyRoute('admin', () => import('../features/admin/settings/InstanceSettingsPage.js')),
  },
  { path: paths.accountPrivacy, ...lazyRoute('legal', () => import('../features/legal/PrivacyPage.js')) },
  { path: paths.accountTerms, ...lazyRoute('legal', () => import('../features/legal/TermsPage.js')) },
]

export const accountRoutes: RouteObject[] = [
  { path: paths.setUp, ...lazyRoute('admin', () => import('../features/admin/setup/SetUpPage.js')) },
  {
    id: ACCOUNT_ROUTE_ID,
    path: paths.account,
    loader: loadAccount,
    errorElement: <ErrorPage />,
    ...lazyRoute('account', async () => ({ default: AccountLayout })),
    children: [{ errorElement: <ErrorPage />, children: accountPages }],
  },
]
