/** Routes of secrets. */
import { z } from 'zod'
import * as api from '../../shared/api/index.js'
import { browserOf } from '../lib/user-agent.js'
import { defineRoute, type RouteRow } from './route.js'

const params = z.object({ id: api.SecretId })
const accessHeader = { 'mayfly-access': api.AckSecret.shape.access.unwrap() }

const createSecret = defineRoute({
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
    'auth.email_unverified',
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
  async handle({ body, caller, header }, { secrets, notifications }) {
    const created = await secrets.create(body, caller, header('idempotency-key'))
    if (body.notify) await notifications.rememberLanguage(caller, header('accept-language'))
    return created
  },
})

const listOwnSecrets = defineRoute({
  summary: "List the caller's own secrets, newest first",
  query: api.Page,
  status: 200,
  response: api.OwnSecrets,
  handle: ({ query, caller }, { secrets }) => secrets.listOwn(query, caller),
})

const listEndedSecrets = defineRoute({
  summary: "List the caller's own secrets that have ended, the last one first",
  query: api.ListEndedSecrets,
  status: 200,
  response: api.EndedSecrets,
  handle: ({ query, caller }, { endedSecrets }) => endedSecrets.list(query, caller),
})

const exportEndedSecrets = defineRoute({
  summary: "Export the caller's own secrets that have ended as CSV, or as a JSON object per line",
  query: api.ExportEndedSecrets,
  status: 200,
  responseType: 'document',
  mediaTypes: ['text/csv', 'application/x-ndjson'],
  handle: ({ query, caller }, { endedSecrets }) => endedSecrets.export(query, caller),
})

const listPublicSecrets = defineRoute({
  summary: 'List public secrets',
  query: api.Page,
  status: 200,
  response: api.PublicSecrets,
  handle: ({ query }, { secrets }) => secrets.listPublic(query),
})

const listPublicSecretsOfUser = defineRoute({
  summary: 'List the public secrets of one user',
  params: z.object({ username: z.string() }),
  query: api.Page,
  status: 200,
  response: api.PublicSecrets,
  handle: ({ params, query }, { secrets }) => secrets.listPublic(query, params.username),
})

const checkSecret = defineRoute({
  summary: 'Check a secret without viewing it',
  params,
  headers: accessHeader,
  status: 200,
  response: api.SecretExists,
  errors: ['secret.not_found'],
  handle: ({ params, caller, header }, { secrets }) => secrets.exist(params.id, header('mayfly-access'), caller),
})

const viewUnprotectedSecret = defineRoute({
  summary: 'View a raw or public secret without a password; every GET counts as a view, HEAD does not',
  params,
  status: 200,
  response: api.ViewedSecret,
  errors: ['secret.not_found', 'secret.password_required', 'secret.locked'],
  handle: ({ params, caller, userAgent }, { secrets }) =>
    secrets.view(params.id, { browser: browserOf(userAgent) }, caller),
  // A response to HEAD has no body, so it does not use up a view.
  async head({ params, caller }, { secrets }) {
    await secrets.exist(params.id, undefined, caller)
  },
})

const viewSecret = defineRoute({
  summary: 'View a secret; a retry with the same claim returns the same response and counts once',
  params,
  body: api.ViewSecret,
  status: 200,
  response: api.ViewedSecret,
  errors: ['secret.not_found', 'secret.password_required', 'secret.password_wrong', 'secret.locked'],
  handle: ({ params, body, caller, userAgent }, { secrets }) =>
    secrets.view(params.id, { ...body, browser: browserOf(userAgent) }, caller),
})

const ackSecret = defineRoute({
  summary: 'Acknowledge a view, so that a used-up secret is deleted at once',
  params,
  body: api.AckSecret,
  status: 204,
  errors: ['secret.not_found'],
  handle: ({ params, body, caller }, { secrets }) => secrets.ack(params.id, body, caller),
})

const burnSecret = defineRoute({
  summary: 'Burn a secret with a proof, as its owner, or as an administrator; also ends downloads',
  params,
  body: api.BurnSecret,
  status: 200,
  response: api.BurnedSecret,
  errors: ['secret.not_found'],
  async handle({ params, body, caller }, { secrets }) {
    await secrets.burn(params.id, body, caller)
    return { burned: true as const }
  },
})

const lowerLimits = defineRoute({
  summary: 'Lower limits of a secret that was not opened yet, with the burn token or as its creator',
  params,
  body: api.LowerLimits,
  status: 200,
  response: api.LoweredLimits,
  errors: ['secret.not_found', 'secret.changed'],
  handle: ({ params, body, caller }, { secrets }) => secrets.lowerLimits(params.id, body, caller),
})

// biome-ignore format: one row per route
export const secretRoutes: RouteRow[] = [
  ['POST', '/secret',                  'secret-create', { requires: 'secrets:create', allowAnonymous: true }, createSecret],
  ['GET',  '/secret',                  'list',          { requires: 'secrets:read' },                         listOwnSecrets],
  ['GET',  '/secret/ended',            'list',          { requires: 'secrets:read' },                         listEndedSecrets],
  ['GET',  '/secret/ended/export',     'list',          { requires: 'secrets:read' },                         exportEndedSecrets],
  ['GET',  '/secret/public',           'list',          {},                                                   listPublicSecrets],
  ['GET',  '/secret/public/:username', 'list',          {},                                                   listPublicSecretsOfUser],
  ['GET',  '/secret/:id/exist',        'secret-exist',  {},                                                   checkSecret],
  ['GET',  '/secret/:id',              'secret-view',   {},                                                   viewUnprotectedSecret],
  ['POST', '/secret/:id',              'secret-view',   {},                                                   viewSecret],
  ['POST', '/secret/:id/ack',          'secret-ack',    {},                                                   ackSecret],
  ['POST', '/secret/:id/burn',         'secret-burn',   {},                                                   burnSecret],
  ['PUT',  '/secret/:id/limits',       'secret-burn',   {},                                                   lowerLimits],
]
