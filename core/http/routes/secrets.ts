/** Routes of secrets. */
import { z } from 'zod'
import { prepareNotification } from '../../notifications/notification-settings.js'
import { ackSecret } from '../../secrets/ack-secret.js'
import { burnSecret } from '../../secrets/burn-secret.js'
import { createSecret } from '../../secrets/create-secret.js'
import { exportEndedSecrets, listEndedSecrets } from '../../secrets/ended-secrets.js'
import { listOwnSecrets, listPublicSecrets } from '../../secrets/list-secrets.js'
import { lowerLimits } from '../../secrets/lower-limits.js'
import { peekSecret } from '../../secrets/peek-secret.js'
import { requestCode } from '../../secrets/request-code.js'
import { viewSecret } from '../../secrets/view-secret.js'
import * as api from '../../shared/api/index.js'
import { browserOf } from '../lib/user-agent.js'
import { defineRoute, type RouteRow } from './route.js'

const params = z.object({ id: api.SecretId })
const accessHeader = { 'mayfly-access': api.AckSecret.shape.access.unwrap() }

const createSecretRoute = defineRoute({
  summary: 'Create a secret',
  headers: { 'idempotency-key': api.IdempotencyKey, 'accept-language': z.string() },
  body: api.CreateSecret,
  // Space for the JSON escapes and the ASCII armor of a text of maximum length.
  bodyLimit: ({ maxTextBytes }) => 4 * maxTextBytes,
  status: 201,
  response: api.CreatedSecret,
  errors: [
    'settings.read_only',
    'settings.users_only',
    'settings.admins_only',
    'settings.policy',
    'auth.email_unverified',
    'auth.not_creator',
    'mail.unavailable',
    'request.idempotency_mismatch',
    'token.used_up',
    'storage.full',
    'file.not_found',
    'file.incomplete',
    'settings.uploads_disabled',
    'file.visitors_refused',
    'file.too_many_uploads',
    'file.quota_used_up',
    'file.no_space',
    'server.busy',
  ],
  async handle({ body, caller, header }, app) {
    const created = await createSecret(app, body, caller, header('idempotency-key'))
    if (!body.notify) return created
    const notifyWarning = await prepareNotification(app, header('accept-language'), caller)
    return { ...created, ...(notifyWarning !== null && { notifyWarning }) }
  },
})

const listOwnSecretsRoute = defineRoute({
  summary: "List the caller's own secrets, newest first",
  query: api.Page,
  response: api.OwnSecrets,
  handle: ({ query, caller }, app) => listOwnSecrets(app, query, caller),
})

const listEndedSecretsRoute = defineRoute({
  summary: "List the caller's own secrets that have ended, the last one first",
  query: api.ListEndedSecrets,
  response: api.EndedSecrets,
  handle: ({ query, caller }, app) => listEndedSecrets(app, query, caller),
})

const exportEndedSecretsRoute = defineRoute({
  summary: "Export the caller's own secrets that have ended as CSV, or as a JSON object per line",
  query: api.ExportEndedSecrets,
  responseType: 'document',
  mediaTypes: ['text/csv', 'application/x-ndjson'],
  handle: ({ query, caller }, app) => exportEndedSecrets(app, query, caller),
})

const listPublicSecretsRoute = defineRoute({
  summary: 'List public secrets',
  query: api.Page,
  response: api.PublicSecrets,
  handle: ({ query }, app) => listPublicSecrets(app, query),
})

const listPublicSecretsOfUserRoute = defineRoute({
  summary: 'List the public secrets of one user',
  params: z.object({ username: z.string() }),
  query: api.Page,
  response: api.PublicSecrets,
  handle: ({ params, query }, app) => listPublicSecrets(app, query, params.username),
})

const checkSecretRoute = defineRoute({
  summary: 'Check a secret without viewing it',
  params,
  headers: accessHeader,
  response: api.SecretExists,
  errors: ['secret.not_found'],
  handle: ({ params, caller, header }, app) => peekSecret(app, params.id, header('mayfly-access'), caller),
})

const viewUnprotectedSecretRoute = defineRoute({
  summary: 'View a raw or public secret without a password; every GET counts as a view, HEAD does not',
  params,
  response: api.ViewedSecret,
  errors: ['secret.not_found', 'secret.password_required', 'secret.code_required', 'secret.locked'],
  handle: ({ params, caller, userAgent }, app) => viewSecret(app, params.id, { browser: browserOf(userAgent) }, caller),
  // A response to HEAD lacks a body, so it does not use up a view.
  async head({ params, caller }, app) {
    await peekSecret(app, params.id, undefined, caller)
  },
})

const viewSecretRoute = defineRoute({
  summary: 'View a secret; a retry with the same claim returns the same response and counts once',
  params,
  body: api.ViewSecret,
  response: api.ViewedSecret,
  errors: [
    'secret.not_found',
    'secret.password_required',
    'secret.password_wrong',
    'secret.code_required',
    'secret.code_wrong',
    'secret.locked',
  ],
  handle: ({ params, body, caller, userAgent }, app) =>
    viewSecret(app, params.id, { ...body, browser: browserOf(userAgent) }, caller),
})

const requestCodeRoute = defineRoute({
  summary: 'Mail a code to a named recipient; the response is the same for every address',
  params,
  headers: { 'accept-language': z.string() },
  body: api.RequestCode,
  errors: ['secret.not_found'],
  handle: ({ params, body, caller, header }, app) =>
    requestCode(app, params.id, body, caller, header('accept-language')),
})

const ackSecretRoute = defineRoute({
  summary: 'Acknowledge a view, so that a used-up secret is deleted at once',
  params,
  body: api.AckSecret,
  errors: ['secret.not_found'],
  handle: ({ params, body, caller }, app) => ackSecret(app, params.id, body, caller),
})

const burnSecretRoute = defineRoute({
  summary: 'Burn a secret with a proof, as its owner, or as an administrator; also ends downloads',
  params,
  body: api.BurnSecret,
  response: api.BurnedSecret,
  errors: ['secret.not_found'],
  async handle({ params, body, caller }, app) {
    await burnSecret(app, params.id, body, caller)
    return { burned: true as const }
  },
})

const lowerLimitsRoute = defineRoute({
  summary: 'Lower limits of a secret that was not opened yet, with the burn token or as its creator',
  params,
  body: api.LowerLimits,
  response: api.LoweredLimits,
  errors: ['secret.not_found', 'secret.changed'],
  handle: ({ params, body, caller }, app) => lowerLimits(app, params.id, body, caller),
})

// biome-ignore format: one row per route
export const secretRoutes: RouteRow[] = [
  ['POST', '/secret',                  'secret-create', { requires: 'secrets:create', allowAnonymous: true }, createSecretRoute],
  ['GET',  '/secret',                  'list',          { requires: 'secrets:read' },                         listOwnSecretsRoute],
  ['GET',  '/secret/ended',            'list',          { requires: 'secrets:read' },                         listEndedSecretsRoute],
  ['GET',  '/secret/ended/export',     'list',          { requires: 'secrets:read' },                         exportEndedSecretsRoute],
  ['GET',  '/secret/public',           'list',          { whileRestricted: true },                            listPublicSecretsRoute],
  ['GET',  '/secret/public/:username', 'list',          { whileRestricted: true },                            listPublicSecretsOfUserRoute],
  ['GET',  '/secret/:id/exist',        'secret-exist',  { whileRestricted: true },                            checkSecretRoute, 'open'],
  ['GET',  '/secret/:id',              'secret-view',   { whileRestricted: true },                            viewUnprotectedSecretRoute, 'open'],
  ['POST', '/secret/:id',              'secret-view',   { whileRestricted: true },                            viewSecretRoute, 'open'],
  ['POST', '/secret/:id/code',         'recipient-code', { whileRestricted: true },                           requestCodeRoute, 'open'],
  ['POST', '/secret/:id/ack',          'secret-ack',    { whileRestricted: true },                            ackSecretRoute, 'open'],
  ['POST', '/secret/:id/burn',         'secret-burn',   {},                                                   burnSecretRoute, 'open'],
  ['PUT',  '/secret/:id/limits',       'secret-burn',   {},                                                   lowerLimitsRoute],
]
