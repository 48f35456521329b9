/** The route table: every route of the API, relative to /api/v1. A route with a fixed path comes before one with a parameter. */
import type { AccessRules } from '../middleware/assert-access.js'
import * as account from './account.js'
import * as admin from './admin.js'
import * as auth from './authentication.js'
import * as files from './files.js'
import * as instance from './instance.js'
import * as redirects from './redirects.js'
import type { Route, RouteConfig, RouteDefinition } from './route.js'
import * as secrets from './secrets.js'

type Row = [
  method: Route['method'],
  path: string,
  rateLimit: Route['limit'] | null,
  access: AccessRules | ((config: RouteConfig) => AccessRules),
  route: RouteDefinition,
]

/** A route without access rules is open to everyone. */
// biome-ignore format: one row per route
const TABLE: Row[] = [
  ['POST',   '/secret',                  'secret-create',   { requires: 'secrets:create', allowAnonymous: true }, secrets.createSecret],
  ['GET',    '/secret',                  'list',            { requires: 'secrets:read' },                         secrets.listOwnSecrets],
  ['GET',    '/secret/public',           'list',            {},                                                   secrets.listPublicSecrets],
  ['GET',    '/secret/public/:username', 'list',            {},                                                   secrets.listPublicSecretsOfUser],
  ['GET',    '/secret/:id/exist',        'secret-exist',    {},                                                   secrets.checkSecret],
  ['GET',    '/secret/:id',              'secret-view',     {},                                                   secrets.viewUnprotectedSecret],
  ['POST',   '/secret/:id',              'secret-view',     {},                                                   secrets.viewSecret],
  ['POST',   '/secret/:id/ack',          'secret-ack',      {},                                                   secrets.ackSecret],
  ['POST',   '/secret/:id/burn',         'secret-burn',     {},                                                   secrets.burnSecret],

  ['POST',   '/files',                   'upload',          { requires: 'secrets:create', allowAnonymous: true }, files.createFile],
  ['PUT',    '/files/:id/:index',        'upload-part',     {},                                                   files.putPart],
  ['GET',    '/files/:id',               'upload-part',     {},                                                   files.listParts],
  ['DELETE', '/files/:id',               'upload-part',     {},                                                   files.cancelUpload],
  ['POST',   '/download',                'download',        {},                                                   files.downloadFile],

  ['POST',   '/authentication/signup',   'sign-up',         { sameOrigin: 'always' },                             auth.signUp],
  ['POST',   '/authentication/signin',   'sign-in',         { sameOrigin: 'always' },                             auth.signIn],
  ['POST',   '/authentication/setup',    'sign-in',         { sameOrigin: 'always' },                             auth.setUp],
  ['POST',   '/authentication/signout',  'session',         { sameOrigin: 'always' },                             auth.signOut],
  ['GET',    '/authentication/verify',   'session',         { requires: 'user', sameOrigin: 'authenticated' },    auth.verify],
  ['GET',    '/authentication/refresh',  'session-refresh', { requires: 'session', sameOrigin: 'authenticated' }, auth.refreshSession],
  ['GET',    '/authentication/:provider/start',    'session', {},                                                 redirects.startSignIn],
  ['GET',    '/authentication/:provider/connect',  'session', { requires: 'session', sameOrigin: 'always' },      redirects.connectIdentity],
  ['GET',    '/authentication/:provider/callback', 'session', {},                                                 redirects.finishSignIn],

  ['GET',    '/account',                 'account',         { requires: 'account' },                              account.getAccount],
  ['PUT',    '/account/update',          'account-change',  { requires: 'interactive' },                          account.updateAccount],
  ['POST',   '/account/delete',          'account-change',  { requires: 'account' },                              account.deleteAccount],
  ['GET',    '/account/sessions',        'account',         { requires: 'account' },                              account.listSessions],
  ['DELETE', '/account/sessions',        'account',         { requires: 'account' },                              account.endSession],
  ['GET',    '/account/identities',      'account',         { requires: 'account' },                              account.listIdentities],
  ['DELETE', '/account/identities',      'account',         { requires: 'interactive' },                          account.disconnectIdentity],
  ['GET',    '/account/tokens',          'account',         { requires: 'account' },                              account.listTokens],
  ['POST',   '/account/tokens',          'account',         { requires: 'interactive' },                          account.createToken],
  ['DELETE', '/account/tokens',          'account',         { requires: 'user' },                                 account.deleteToken],

  ['GET',    '/admin/users',             'admin',           { requires: 'admin' },                                admin.listUsers],
  ['POST',   '/admin/users',             'admin',           { requires: 'admin' },                                admin.createUser],
  ['PUT',    '/admin/users',             'admin',           { requires: 'admin' },                                admin.updateUser],
  ['DELETE', '/admin/users',             'admin',           { requires: 'admin' },                                admin.deleteUser],
  ['DELETE', '/admin/sessions',          'admin',           { requires: 'admin' },                                admin.endUserSessions],
  ['GET',    '/admin/settings',          'admin',           { requires: 'admin' },                                admin.getSettings],
  ['PUT',    '/admin/settings',          'admin',           { requires: 'admin' },                                admin.updateSettings],

  ['GET',    '/stats',                   'list',            statsAccess,                                          instance.getStats],
  ['GET',    '/settings',                null,              {},                                                   instance.getPublicSettings],
  ['GET',    '/healthz',                 null,              {},                                                   instance.checkLiveness],
  ['GET',    '/readyz',                  null,              {},                                                   instance.checkReadiness],
]

export function routes(config: RouteConfig): Route[] {
  return TABLE.map(([method, path, limit, access, route]) => ({
    method,
    path,
    ...(limit && { limit }),
    ...(typeof access === 'function' ? access(config) : access),
    ...route,
  }))
}

function statsAccess({ statsFor }: RouteConfig): AccessRules {
  return statsFor === 'admin' ? { requires: 'admin' } : {}
}
