/** Routes of the caller's own account, sessions, external identities and API tokens. */
import { z } from 'zod'
import * as api from '../../shared/api/index.js'
import { defineRoute, type RouteRow } from './route.js'

const getAccount = defineRoute({
  summary: 'Get the account',
  status: 200,
  response: api.AccountResponse,
  async handle({ caller }, { accounts }) {
    return { user: await accounts.read(caller) }
  },
})

const getUploadUsage = defineRoute({
  summary: 'Get how much of the daily upload quota is used',
  status: 200,
  response: api.UploadUsage,
  handle: ({ caller }, { attachments }) => attachments.uploadUsage(caller),
})

const updateAccount = defineRoute({
  headers: { 'accept-language': z.string() },
  summary: 'Change the e-mail address, or the password, which ends all other sessions and deletes all API tokens',
  body: api.UpdateAccount,
  status: 200,
  response: api.AccountResponse,
  errors: [
    'auth.password_wrong',
    'auth.password_elsewhere',
    'auth.sign_in_again',
    'auth.password_common',
    'auth.email_domain',
    'user.email_taken',
    'server.busy',
  ],
  async handle({ body, caller, userAgent, cookies, header }, { accounts }) {
    const headers = { client: userAgent, acceptLanguage: header('accept-language') }
    const { account, opened } = await accounts.update(body, caller, headers)
    if (opened) cookies.set(opened)
    return { user: account }
  },
})

const setNotifications = defineRoute({
  summary: 'Change which notifications the account gets',
  body: api.SetNotifications,
  status: 204,
  handle: ({ body, caller }, { notifications }) => notifications.update(caller, body),
})

const sendVerification = defineRoute({
  summary: 'Send a link that verifies the e-mail address of the account',
  headers: { 'accept-language': z.string() },
  status: 204,
  handle: ({ caller, header }, { verification }) => verification.sendToSelf(caller, header('accept-language')),
})

const deleteAccount = defineRoute({
  summary: 'Delete the account with its secrets and files',
  body: api.DeleteAccount,
  status: 200,
  response: api.DeletedAccount,
  errors: ['auth.password_wrong', 'auth.sign_in_again', 'user.last_admin', 'server.busy'],
  async handle({ body, caller, cookies }, { accounts }) {
    const username = await accounts.remove(body, caller)
    cookies.clear()
    cookies.setDevice(null)
    return { user: { username, action: 'deleted' as const } }
  },
})

const listSessions = defineRoute({
  summary: 'List the sessions of the account',
  status: 200,
  response: api.Sessions,
  handle: ({ caller }, { sessions }) => sessions.list(caller),
})

const endSession = defineRoute({
  summary: 'End one session, or all except the current one',
  body: api.EndSession,
  status: 204,
  errors: ['session.not_found'],
  async handle({ body, caller, cookies }, { sessions }) {
    await sessions.end(body.id, caller)
    if (body.id !== undefined && body.id === caller.sessionId) cookies.clear()
  },
})

const listIdentities = defineRoute({
  summary: 'List the external identities that are connected to the account',
  status: 200,
  response: api.Identities,
  handle: ({ caller }, { identities }) => identities.list(caller),
})

const disconnectIdentity = defineRoute({
  summary: 'Disconnect an external identity, unless it is the last sign-in method, and end all other sessions',
  body: api.DisconnectIdentity,
  status: 204,
  errors: ['identity.not_found', 'auth.last_way', 'auth.sign_in_again'],
  async handle({ body, caller }, { accounts, identities }) {
    await accounts.assertRecentSignIn(caller)
    await identities.disconnect(body.provider, caller)
  },
})

const listTokens = defineRoute({
  summary: 'List the API tokens of the account',
  status: 200,
  response: api.Tokens,
  handle: ({ caller }, { tokens }) => tokens.list(caller),
})

const createToken = defineRoute({
  summary: 'Create an API token; the token is only in this response',
  body: api.CreateToken,
  status: 201,
  response: api.CreatedToken,
  errors: ['token.limit_reached'],
  handle: ({ body, caller }, { tokens }) => tokens.create(body, caller),
})

const deleteToken = defineRoute({
  summary: 'Delete an API token; a token may always delete itself',
  body: api.DeleteToken,
  status: 204,
  errors: ['token.not_found', 'auth.scope'],
  handle: ({ body, caller }, { tokens }) => tokens.remove(body.id, caller),
})

// biome-ignore format: one row per route
export const accountRoutes: RouteRow[] = [
  ['GET',    '/account',            'account',        { requires: 'account' },     getAccount],
  ['GET',    '/account/usage',      'account',        { requires: 'account' },     getUploadUsage],
  ['PUT',    '/account/update',     'account-change', { requires: 'interactive' }, updateAccount],
  ['PUT',    '/account/notifications', 'account',     { requires: 'account' },     setNotifications],
  ['POST',   '/account/verification', 'verification', { requires: 'interactive' }, sendVerification],
  ['POST',   '/account/delete',     'account-change', { requires: 'account' },     deleteAccount],
  ['GET',    '/account/sessions',   'account',        { requires: 'account' },     listSessions],
  ['DELETE', '/account/sessions',   'account',        { requires: 'account' },     endSession],
  ['GET',    '/account/identities', 'account',        { requires: 'account' },     listIdentities],
  ['DELETE', '/account/identities', 'account',        { requires: 'interactive' }, disconnectIdentity],
  ['GET',    '/account/tokens',     'account',        { requires: 'account' },     listTokens],
  ['POST',   '/account/tokens',     'account',        { requires: 'interactive' }, createToken],
  ['DELETE', '/account/tokens',     'account',        { requires: 'user' },        deleteToken],
]
