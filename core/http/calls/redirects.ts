/** The calls that lead a browser to another site, where somebody signs in, and back. */
import { z } from 'zod'
import { isAppError } from '../../errors.js'
import * as api from '../../shared/api.js'
import { basePath } from '../../shared/site.js'
import { call } from '../call.js'

const params = z.object({ provider: api.ProviderId })
/** What comes back with the browser is the provider's. */
const answer = z.record(z.string(), z.string())

export function redirectCalls({ publicUrl }: { publicUrl: string }) {
  const here = (path: string) => basePath(publicUrl) + path
  /** What goes wrong is told on the screen where it began. */
  const telling = async (on: string, go: () => Promise<string>): Promise<string> => {
    try {
      return await go()
    } catch (error) {
      if (!isAppError(error) || error.code.startsWith('request.')) throw error
      return here(`${on}?error=${error.code}`)
    }
  }

  return [
    call({
      method: 'GET',
      path: '/authentication/:provider/start',
      summary: 'Go and sign in at another site',
      limit: 'session',
      params,
      query: api.StartSignIn,
      status: 303,
      answers: 'redirect',
      errors: ['request.not_found'],
      handle: ({ params, query, cookies }, { redirects }) =>
        telling('/signin', async () => {
          const flow = { next: query.next, session: cookies.token, connect: null }
          const { url, kept } = await redirects.start(params.provider, flow)
          cookies.keep(kept)
          return url
        }),
    }),
    call({
      method: 'GET',
      path: '/authentication/:provider/connect',
      summary: 'Go and sign in at another site, so that it signs in to this account from now on',
      limit: 'session',
      needs: 'session',
      ownPages: 'always',
      params,
      status: 303,
      answers: 'redirect',
      errors: ['request.not_found'],
      handle: ({ params, caller, cookies }, { accounts, redirects }) =>
        telling('/account', async () => {
          await accounts.assertRecentSignIn(caller)
          const flow = { next: '/account', session: null, connect: caller.userId }
          const { url, kept } = await redirects.start(params.provider, flow)
          cookies.keep(kept)
          return url
        }),
    }),
    call({
      method: 'GET',
      path: '/authentication/:provider/callback',
      summary: 'Come back from there',
      limit: 'session',
      params,
      query: answer,
      status: 303,
      answers: 'redirect',
      errors: ['request.not_found'],
      handle: ({ params, query, cookies, caller, client }, { redirects, sessions }) =>
        telling('/signin', async () => {
          const { kept } = cookies
          cookies.keep(null)
          const returned = await redirects.finish(params.provider, new URLSearchParams(query), kept, caller, client)
          if (returned.session !== null) await sessions.signOut(returned.session, caller)
          if (returned.opened) cookies.set(returned.opened)
          return here(returned.next)
        }),
    }),
  ]
}
