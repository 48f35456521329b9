/** Routes of the caller's own account, sessions, external identities and API tokens. */

import { z } from 'zod'
import type { App } from '../../app.js'
import { readUploadUsage } from '../../attachments/quotas.js'
import { createToken, deleteToken, listTokens } from '../../auth/api-tokens.js'
import { disconnectIdentity, listIdentities } from '../../auth/connect-identity.js'
import { deleteOwnAccount } from '../../auth/delete-account.js'
import { sendOwnVerification } from '../../auth/email-verification.js'
import { forgetDevices } from '../../auth/forget-devices.js'
import { issueDeviceCookie } from '../../auth/known-devices.js'
import { listOwnAccess } from '../../auth/list-access.js'
import { readAccount } from '../../auth/read-account.js'
import { endSessions, listSessions, type OpenedSession } from '../../auth/sessions.js'
import { lockOutSelf, updateAccount } from '../../auth/update-account.js'
import { updateDefaults } from '../../auth/update-defaults.js'
import { updateNotifications } from '../../notifications/notification-settings.js'
import * as api from '../../shared/api/index.js'
import type { SessionCookies } from '../lib/cookies.js'
import { defineRoute, type RouteRow } from './route.js'

const getAccountRoute = defineRoute({
  summary: 'Get the account',
  response: api.AccountResponse,
  async handle({ caller }, app) {
    return { user: await readAccount(app, caller) }
  },
})

const getUploadUsageRoute = defineRoute({
  summary: 'Get the used part of the daily upload quota',
  response: api.UploadUsage,
  handle: ({ caller }, app) => readUploadUsage(app, caller),
})

const updateAccountRoute = defineRoute({
  headers: { 'accept-language': z.string() },
  summary: 'Change the e-mail address, or the password, which ends everything but external identities and webhooks',
  body: api.UpdateAccount,
  response: api.AccountResponse,
  errors: [
    'auth.password_wrong',
    'auth.password_elsewhere',
    'auth.proof_required',
    'auth.password_common',
    'auth.password_same',
    'auth.email_domain',
    'user.email_taken',
    'server.busy',
  ],
  async handle({ body, caller, userAgent, cookies, header }, app) {
    const headers = { client: userAgent, acceptLanguage: header('accept-language') }
    const { account, opened } = await updateAccount(app, body, caller, headers)
    if (opened) startSession(app, opened, cookies)
    return { user: account }
  },
})

const listAccessRoute = defineRoute({
  summary: 'List the sessions, API tokens, identities and webhooks of the account, which a lock-out ends',
  response: api.Access,
  handle: ({ caller }, app) => listOwnAccess(app, caller),
})

const lockOutRoute = defineRoute({
  summary: 'Lock everyone out of the account, except the access to keep, and set a new password',
  body: api.LockOut,
  errors: [
    'auth.password_wrong',
    'auth.proof_required',
    'auth.password_common',
    'auth.password_same',
    'auth.last_way',
    'server.busy',
  ],
  async handle({ body, caller, userAgent, cookies }, app) {
    const opened = await lockOutSelf(app, body, caller, { client: userAgent })
    if (opened) startSession(app, opened, cookies)
  },
})

const setNotificationsRoute = defineRoute({
  summary: 'Change which notifications the account gets',
  body: api.SetNotifications,
  handle: ({ body, caller }, app) => updateNotifications(app, body, caller),
})

const setDefaultsRoute = defineRoute({
  summary: 'Change the lifetime and the number of views that the forms of the user start with',
  body: api.SetDefaults,
  response: api.AccountResponse,
  errors: ['settings.policy'],
  async handle({ body, caller }, app) {
    return { user: await updateDefaults(app, body, caller) }
  },
})

const sendVerificationRoute = defineRoute({
  summary: 'Send a link that verifies the e-mail address of the account',
  headers: { 'accept-language': z.string() },
  handle: ({ caller, header }, app) => sendOwnVerification(app, caller, header('accept-language')),
})

const deleteAccountRoute = defineRoute({
  summary: 'Delete the account with its secrets and files',
  body: api.DeleteAccount,
  response: api.DeletedAccount,
  errors: ['auth.password_wrong', 'auth.proof_required', 'user.last_admin', 'server.busy'],
  async handle({ body, caller, cookies }, app) {
    const username = await deleteOwnAccount(app, body, caller)
    cookies.clear()
    cookies.setDevice(null)
    return { user: { username, action: 'deleted' as const } }
  },
})

const listSessionsRoute = defineRoute({
  summary: 'List the sessions of the account',
  response: api.Sessions,
  handle: ({ caller }, app) => listSessions(app, caller),
})

const endSessionRoute = defineRoute({
  summary: 'End one session, or all except the current one',
  body: api.EndSession,
  errors: ['session.not_found'],
  async handle({ body, caller, cookies }, app) {
    await endSessions(app, body.id, caller)
    if (body.id !== undefined && body.id === caller.sessionId) cookies.clear()
  },
})

const forgetDevicesRoute = defineRoute({
  summary: 'Forget all known devices of the account, except the browser of this request',
  async handle({ caller, cookies }, app) {
    cookies.setDevice(await forgetDevices(app, caller))
  },
})

const listIdentitiesRoute = defineRoute({
  summary: 'List the external identities that are connected to the account',
  response: api.Identities,
  handle: ({ caller }, app) => listIdentities(app, caller),
})

const disconnectIdentityRoute = defineRoute({
  summary: 'Disconnect an external identity, unless it is the last sign-in method, and end all other sessions',
  body: api.DisconnectIdentity,
  errors: ['identity.not_found', 'auth.last_way', 'auth.proof_required'],
  handle: ({ body, caller }, app) => disconnectIdentity(app, body.provider, caller),
})

const listTokensRoute = defineRoute({
  summary: 'List the API tokens of the account',
  response: api.Tokens,
  handle: ({ caller }, app) => listTokens(app, caller),
})

const createTokenRoute = defineRoute({
  summary: 'Create an API token; the token is only in this response',
  body: api.CreateToken,
  status: 201,
  response: api.CreatedToken,
  errors: ['token.limit_reached'],
  handle: ({ body, caller }, app) => createToken(app, body, caller),
})

const deleteTokenRoute = defineRoute({
  summary: 'Delete an API token; a token may always delete itself',
  body: api.DeleteToken,
  errors: ['token.not_found', 'auth.scope'],
  handle: ({ body, caller }, app) => deleteToken(app, body.id, caller),
})

// biome-ignore format: one row per route
export const accountRoutes: RouteRow[] = [
  ['GET',    '/account',               'account',        { requires: 'account', whileRestricted: true },                           getAccountRoute],
  ['GET',    '/account/usage',         'account',        { requires: 'account' },                                                  getUploadUsageRoute],
  ['PUT',    '/account/update',        'account-change', { requires: 'interactive', proof: 'with-factor', whileRestricted: true }, updateAccountRoute],
  ['GET',    '/account/access',        'account',        { requires: 'account' },                                                  listAccessRoute],
  ['POST',   '/account/lock-out',      'account-change', { requires: 'interactive', proof: 'with-factor' },                        lockOutRoute],
  ['PUT',    '/account/notifications', 'account',        { requires: 'account' },                                                  setNotificationsRoute],
  ['PUT',    '/account/defaults',      'account',        { requires: 'account' },                                                  setDefaultsRoute],
  ['POST',   '/account/verification',  'verification',   { requires: 'interactive' },                                              sendVerificationRoute],
  ['POST',   '/account/delete',        'account-change', { requires: 'account', proof: 'with-factor' },                            deleteAccountRoute],
  ['GET',    '/account/sessions',      'account',        { requires: 'account' },                                                  listSessionsRoute],
  ['DELETE', '/account/sessions',      'account',        { requires: 'account' },                                                  endSessionRoute],
  ['DELETE', '/account/devices',       'account',        { requires: 'session' },                                                  forgetDevicesRoute],
  ['GET',    '/account/identities',    'account',        { requires: 'account' },                                                  listIdentitiesRoute],
  ['DELETE', '/account/identities',    'account',        { requires: 'interactive', proof: 'always' },                             disconnectIdentityRoute],
  ['GET',    '/account/tokens',        'account',        { requires: 'account' },                                                  listTokensRoute],
  ['POST',   '/account/tokens',        'account',        { requires: 'interactive', proof: 'always' },                             createTokenRoute],
  ['DELETE', '/account/tokens',        'account',        { requires: 'user' },                                                     deleteTokenRoute],
]

/** Continues in a new session, after a lock-out that ended this one and made the browser an unknown device. */
function startSession(app: App, opened: OpenedSession, cookies: SessionCookies): void {
  cookies.set(opened)
  cookies.setDevice(issueDeviceCookie(app, opened.user))
}
