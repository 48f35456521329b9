/** The calls about one's own account, its sessions and its tokens. */
import * as api from '../../shared/api.js'
import { call } from '../call.js'

export function accountCalls() {
  return [
    call({
      method: 'GET',
      path: '/account',
      summary: "The caller's account",
      limit: 'account',
      needs: 'account',
      status: 200,
      answer: api.AccountAnswer,
      async handle({ caller }, { accounts }) {
        return { user: await accounts.read(caller) }
      },
    }),
    call({
      method: 'PUT',
      path: '/account/update',
      summary: 'Change the password, which ends every other session, or the e-mail address',
      limit: 'account-change',
      needs: 'person',
      body: api.UpdateAccount,
      status: 200,
      answer: api.AccountAnswer,
      errors: [
        ...(['auth.password_wrong', 'auth.password_elsewhere', 'auth.sign_in_again'] as const),
        ...(['auth.password_common', 'auth.email_domain'] as const),
        ...(['user.email_taken', 'server.busy'] as const),
      ],
      async handle({ body, caller, client, cookies }, { accounts }) {
        const { account, opened } = await accounts.update(body, caller, client)
        if (opened) cookies.set(opened)
        return { user: account }
      },
    }),
    call({
      method: 'POST',
      path: '/account/delete',
      summary: 'Delete the account with its secrets and their files',
      limit: 'account-change',
      needs: 'account',
      body: api.DeleteAccount,
      status: 200,
      answer: api.DeletedAccount,
      errors: ['auth.password_wrong', 'auth.sign_in_again', 'user.last_admin', 'server.busy'],
      async handle({ body, caller, cookies }, { accounts }) {
        const username = await accounts.remove(body, caller)
        cookies.clear()
        return { user: { username, action: 'deleted' as const } }
      },
    }),
    call({
      method: 'GET',
      path: '/account/sessions',
      summary: 'Where the caller is signed in',
      limit: 'account',
      needs: 'account',
      status: 200,
      answer: api.Sessions,
      handle: ({ caller }, { sessions }) => sessions.list(caller),
    }),
    call({
      method: 'DELETE',
      path: '/account/sessions',
      summary: 'End one session, or all but the one that asks',
      limit: 'account',
      needs: 'account',
      body: api.EndSession,
      status: 204,
      errors: ['session.not_found'],
      async handle({ body, caller, cookies }, { sessions }) {
        await sessions.end(body.id, caller)
        if (body.id !== undefined && body.id === caller.sessionId) cookies.clear()
      },
    }),
    call({
      method: 'GET',
      path: '/account/identities',
      summary: 'Other ways to sign in that are connected to the account',
      limit: 'account',
      needs: 'account',
      status: 200,
      answer: api.Identities,
      handle: ({ caller }, { identities }) => identities.list(caller),
    }),
    call({
      method: 'DELETE',
      path: '/account/identities',
      summary: 'Disconnect one, unless it is the last way to sign in, and end every other session',
      limit: 'account',
      needs: 'person',
      body: api.Disconnect,
      status: 204,
      errors: ['identity.not_found', 'auth.last_way', 'auth.sign_in_again'],
      async handle({ body, caller }, { accounts, identities }) {
        await accounts.assertRecentSignIn(caller)
        await identities.disconnect(body.provider, caller)
      },
    }),
    call({
      method: 'GET',
      path: '/account/tokens',
      summary: "The caller's API tokens",
      limit: 'account',
      needs: 'account',
      status: 200,
      answer: api.Tokens,
      handle: ({ caller }, { tokens }) => tokens.list(caller),
    }),
    call({
      method: 'POST',
      path: '/account/tokens',
      summary: 'Make an API token, which is shown this once',
      limit: 'account',
      needs: 'person',
      body: api.CreateToken,
      status: 201,
      answer: api.CreatedToken,
      errors: ['token.limit_reached'],
      handle: ({ body, caller }, { tokens }) => tokens.create(body, caller),
    }),
    call({
      method: 'DELETE',
      path: '/account/tokens',
      summary: 'Delete an API token; one may always delete itself',
      limit: 'account',
      needs: 'user',
      body: api.DeleteToken,
      status: 204,
      errors: ['token.not_found', 'auth.scope'],
      handle: ({ body, caller }, { tokens }) => tokens.remove(body.id, caller),
    }),
  ]
}
