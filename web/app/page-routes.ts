/**
 * Pages that load when they are visited: path, namespaces of the texts, module. The build adds the paths to site.json.
 */
import { accountPaths } from '../lib/account-paths.js'
import { paths } from '../lib/paths.js'
import type { PageModule } from './lazy-route.js'

/** `open`: also a server with the role `open` has the page. */
export type PageRow = [path: string, namespaces: string | string[], load: () => Promise<PageModule>, open?: 'open']

const loadWebhookPages = () => import('../features/account/webhooks/webhook-pages.js')

// biome-ignore format: one row per page
export const SITE_PAGES: PageRow[] = [
  [paths.privacy, 'legal', () => import('../features/legal/PrivacyPage.js'), 'open'],
  [paths.terms,   'legal', () => import('../features/legal/TermsPage.js'), 'open'],
  [paths.apiDocs, 'api-docs',   () => import('../features/api-docs/ApiDocsPage.js')],
  [paths.stats,   'stats', () => import('../features/stats/StatsPage.js')],
  [paths.publicOf, 'public', () => import('../features/public/PublicSecretsPage.js')],
  [paths.signUp,  'auth', () => import('../features/auth/SignUpPage.js')],
  [paths.signOut, 'auth', () => import('../features/auth/SignOutPage.js')],
  [paths.setUp,   'admin', () => import('../features/admin/setup/SetUpPage.js')],
  [paths.secondStep, ['auth', 'proof'], () => import('../features/auth/SecondStepPage.js')],
  [paths.forgotPassword, 'auth', () => import('../features/auth/ForgotPasswordPage.js')],
  [paths.resetPassword, ['auth', 'access'], () => import('../features/auth/ResetPasswordPage.js')],
  [paths.verifyEmail, 'account', () => import('../features/account/verification/VerifyEmailPage.js')],
  [paths.unsubscribe, 'account', () => import('../features/account/notifications/UnsubscribePage.js')],
  [paths.share, 'compose', () => import('../features/compose/share/SharePage.js')],
  [paths.request, ['requests', 'compose', 'files'], () => import('../features/compose/request/RequestPage.js')],
  [paths.respond, ['requests', 'compose'], () => import('../features/compose/respond/RespondPage.js'), 'open'],
  [paths.receipt, ['receipt', 'requests'], () => import('../features/receipt/ReceiptPage.js')],
  [paths.collect, ['requests', 'reveal'], () => import('../features/reveal/collect/CollectPage.js'), 'open'],
]

/** Pages below /account, which require a session. */
// biome-ignore format: one row per page
export const ACCOUNT_PAGES: PageRow[] = [
  [paths.account,                  'account', () => import('../features/account/details/AccountDetailsPage.js')],
  [accountPaths.details,           'account', () => import('../features/account/details/AccountDetailsPage.js')],
  [accountPaths.secrets,           ['account', 'receipt'], () => import('../features/account/secrets/OwnSecretsPage.js')],
  [accountPaths.requests,          'requests', () => import('../features/account/requests/OwnRequestsPage.js')],
  [accountPaths.webhooks,          'webhooks', async () => (await loadWebhookPages()).webhooksPage],
  [accountPaths.webhookLog,        'webhooks', async () => (await loadWebhookPages()).deliveriesPage],
  [accountPaths.settings,          ['account', 'compose'], () => import('../features/account/settings/AccountSettingsPage.js')],
  [accountPaths.security,          ['security', 'account', 'access'], () => import('../features/account/security/SecurityPage.js')],
  [accountPaths.device,            'device',  () => import('../features/device/DevicePage.js')],
  [accountPaths.users,             ['admin', 'access'], () => import('../features/admin/users/UsersPage.js')],
  [accountPaths.instanceSettings,  'admin',   () => import('../features/admin/settings/InstanceSettingsPage.js')],
  [accountPaths.privacy,           'legal',   () => import('../features/legal/PrivacyPage.js')],
  [accountPaths.terms,             'legal',   () => import('../features/legal/TermsPage.js')],
]
