/** Routes of sign-in at another site: redirect to the provider, and its callback. */
import { z } from 'zod'
import { issueDeviceCookie } from '../../auth/known-devices.js'
import { errorPagePath, finishRedirect, startConnecting, startRedirect } from '../../auth/redirect-flow.js'
import { signOut } from '../../auth/sessions.js'
import { isAppError } from '../../lib/errors.js'
import * as api from '../../shared/api/index.js'
import { basePath } from '../../shared/site.js'
import { defineRoute, type RouteConfig, type RouteRow } from './route.js'

const params = z.object({ provider: api.ProviderId })

const startSignInRoute = defineRoute({
  summary: 'Redirect to an external sign-in provider',
  params,
  query: api.StartSignIn,
  status: 303,
  responseType: 'redirect',
  errors: ['request.not_found'],
  handle: ({ params, query, cookies }, app, config) =>
    orErrorPage(config, '/signin', async () => {
      const flow = { next: query.next, session: cookies.token, device: cookies.device, connect: null }
      const { url, cookie } = await startRedirect(app, params.provider, flow)
      cookies.setRedirectState(cookie)
      return url
    }),
})

const connectIdentityRoute = defineRoute({
  summary: 'Get the URL of the page that connects a provider to the account',
  params,
  response: api.ProviderPage,
  errors: ['request.not_found', 'auth.unavailable'],
  async handle({ params, caller, cookies }, app) {
    const { url, cookie } = await startConnecting(app, params.provider, caller)
    cookies.setRedirectState(cookie)
    return { url }
  },
})

const finishSignInRoute = defineRoute({
  summary: 'Redirect callback',
  params,
  headers: { 'accept-language': z.string() },
  // The provider decides which parameters it sends.
  query: z.record(z.string(), z.string()),
  status: 303,
  responseType: 'redirect',
  errors: ['request.not_found'],
  handle({ params, query, cookies, caller, userAgent, header }, app, config) {
    const state = cookies.redirectState
    return orErrorPage(config, errorPagePath(app, state), async () => {
      cookies.setRedirectState(null)
      const headers = { client: userAgent, acceptLanguage: header('accept-language') }
      const callback = new URLSearchParams(query)
      const returned = await finishRedirect(app, params.provider, callback, state, caller, headers)
      if (returned.session !== null) await signOut(app, returned.session, caller)
      if (returned.pending !== null) cookies.setPending(returned.pending)
      if (returned.opened) {
        cookies.set(returned.opened)
        cookies.setDevice(issueDeviceCookie(app, returned.opened.user))
      }
      return basePath(config.publicUrl) + returned.next
    })
  },
})

// biome-ignore format: one row per route
export const redirectRoutes: RouteRow[] = [
  ['GET',  '/authentication/:provider/start',    'session', { whileRestricted: true },                                      startSignInRoute],
  ['POST', '/authentication/:provider/connect',  'session', { requires: 'session', sameOrigin: 'always', proof: 'always' }, connectIdentityRoute],
  ['GET',  '/authentication/:provider/callback', 'session', { whileRestricted: true },                                      finishSignInRoute],
]

/** Returns the URL from `redirect`, or the URL of the page with this path and the code of the error. */
async function orErrorPage(
  { publicUrl }: RouteConfig,
  errorPath: string,
  redirect: () => Promise<string>,
): Promise<string> {
  try {
    return await redirect()
  } catch (error) {
    if (!isAppError(error) || error.code.startsWith('request.')) throw error
    return `${basePath(publicUrl)}${errorPath}?error=${error.code}`
  }
}
