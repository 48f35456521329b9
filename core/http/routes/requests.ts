/** Routes of secret requests. */
import { z } from 'zod'
import * as api from '../../shared/api/index.js'
import { defineRoute, type RouteRow } from './route.js'

const params = z.object({ id: api.RequestId })

const createRequest = defineRoute({
  summary: 'Create a request, under whose link others submit secrets',
  headers: { 'idempotency-key': api.IdempotencyKey, 'accept-language': z.string() },
  body: api.CreateRequest,
  status: 201,
  response: api.CreatedRequest,
  errors: [
    'auth.required',
    'auth.admin_only',
    'settings.requests_disabled',
    'settings.read_only',
    'settings.users_only',
    'settings.admins_only',
    'auth.email_unverified',
    'request.idempotency_mismatch',
    'storage.full',
  ],
  async handle({ body, caller, header }, { requests, notifications }) {
    const created = await requests.create(body, caller, header('idempotency-key'))
    if (body.notify) await notifications.rememberLanguage(caller, header('accept-language'))
    return created
  },
})

const openRequest = defineRoute({
  summary: 'Read a request with its link: recipient, encrypted title and limits',
  params,
  body: api.OpenRequest,
  status: 200,
  response: api.OpenedRequest,
  errors: ['secret_request.not_found'],
  handle: ({ params, body, caller }, { requests }) => requests.open(params.id, body, caller),
})

const createSubmission = defineRoute({
  summary: 'Submit a secret to a request',
  params,
  headers: { 'idempotency-key': api.IdempotencyKey },
  body: api.CreateSubmission,
  // Space for the JSON escapes and the ASCII armor of a text of maximum length.
  bodyLimit: ({ maxTextBytes }) => 4 * maxTextBytes,
  status: 201,
  response: api.CreatedSubmission,
  errors: [
    'secret_request.not_found',
    'request.idempotency_mismatch',
    'storage.full',
    'file.not_found',
    'file.incomplete',
    'file.quota_used_up',
    'settings.uploads_disabled',
  ],
  handle: ({ params, body, caller, header }, { requests }) =>
    requests.submit(params.id, body, caller, header('idempotency-key')),
})

const collectRequest = defineRoute({
  summary: 'List the submissions of a request with its collect link',
  params,
  body: api.CollectRequest,
  status: 200,
  response: api.CollectedRequest,
  errors: ['secret_request.not_found'],
  handle: ({ params, body }, { requests }) => requests.collect(params.id, body),
})

const closeRequest = defineRoute({
  summary: 'Close a request and burn its unopened submissions: with its collect proof, or as its owner',
  params,
  body: api.CloseRequest,
  status: 204,
  errors: ['secret_request.not_found'],
  handle: ({ params, body, caller }, { requests }) => requests.close(params.id, body, caller),
})

const listOwnRequests = defineRoute({
  summary: "List the caller's own requests, newest first",
  query: api.Page,
  status: 200,
  response: api.OwnRequests,
  handle: ({ query, caller }, { requests }) => requests.listOwn(query, caller),
})

// biome-ignore format: one row per route
export const requestRoutes: RouteRow[] = [
  ['POST',   '/request',                'request-create',  { requires: 'secrets:create', allowAnonymous: true }, createRequest],
  ['POST',   '/request/:id/open',       'request-open',    {},                         openRequest],
  ['POST',   '/request/:id/submission', 'request-submit',  {},                         createSubmission],
  ['POST',   '/request/:id/collect',    'request-collect', {},                         collectRequest],
  ['DELETE', '/request/:id',            'request-collect', {},                         closeRequest],
  ['GET',    '/account/requests',       'list',            { requires: 'secrets:read' }, listOwnRequests],
]
