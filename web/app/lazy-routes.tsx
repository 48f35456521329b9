/** The routes of page-routes.ts. */
import type { RouteObject } from 'react-router'
import { AccountLayout } from '../features/account/AccountLayout.js'
import { loadNamespace } from '../lib/i18n.js'
import { paths } from '../lib/paths.js'
import { ACCOUNT_ROUTE_ID, loadAccount } from '../lib/session/require-session.js'
import { site } from '../lib/site.js'
import { ErrorPage } from './ErrorPage.js'
import { lazyRoute } from './lazy-route.js'
import NotFoundPage from './NotFoundPage.js'
import { ProofPrompt } from './ProofPrompt.js'
import { ACCOUNT_PAGES, type PageRow, SITE_PAGES } from './page-routes.js'

const accountRoutes: RouteObject = {
  id: ACCOUNT_ROUTE_ID,
  path: paths.account,
  loader: loadAccount,
  errorElement: <ErrorPage />,
  ...lazyRoute('account', async () => ({ default: AccountPages })),
  children: [{ errorElement: <ErrorPage />, children: ACCOUNT_PAGES.map(toRoute) }],
}

export const lazyRoutes: RouteObject[] =
  site.role === 'open'
    ? [
        ...SITE_PAGES.filter(([, , , open]) => open).map(toRoute),
        { path: '*', ...lazyRoute('open-host', () => import('../features/open-host/OpenHostPage.js')) },
      ]
    : [...SITE_PAGES.map(toRoute), accountRoutes, { path: '*', Component: NotFoundPage }]

function AccountPages() {
  return (
    <>
      <AccountLayout />
      <ProofPrompt />
    </>
  )
}

function toRoute([path, namespaces, load]: PageRow): RouteObject {
  // The others belong to components that the page shares.
  const [namespace = '', ...others] = [namespaces].flat()
  const page = lazyRoute(namespace, async () => {
    const [module] = await Promise.all([load(), ...others.map(loadNamespace)])
    return module
  })
  // The router refuses a child with the path of its parent.
  return path === paths.account ? { index: true, ...page } : { path, ...page }
}
