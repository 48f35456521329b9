/** Routes of secret requests. */
import { z } from 'zod'
import { prepareNotification } from '../../notifications/notification-settings.js'
import { closeRequest } from '../../requests/close-request.js'
import { createRequest } from '../../requests/create-request.js'
import { collectRequest, listOwnRequests, openRequest } from '../../requests/read-requests.js'
import { submitToRequest } from '../../requests/submit-to-request.js'
import * as api from '../../shared/api/index.js'
import { defineRoute, type RouteRow } from './route.js'

const params = z.object({ id: api.RequestId })

const createRequestRoute = defineRoute({
  summary: 'Create a request, under whose link others submit secrets',
  headers: { 'idempotency-key': api.IdempotencyKey, 'accept-language': z.string() },
  body: api.CreateRequest,
  status: 201,
  response: api.CreatedRequest,
  errors: [
    'auth.required',
    'auth.admin_only',
    'settings.requests_disabled',
    'settings.policy',
    'settings.read_only',
    'settings.users_only',
    'settings.admins_only',
    'auth.email_unverified',
    'auth.not_creator',
    'request.idempotency_mismatch',
    'storage.full',
  ],
  async handle({ body, caller, header }, app) {
    const created = await createRequest(app, body, caller, header('idempotency-key'))
    if (!body.notify) return created
    const notifyWarning = await prepareNotification(app, header('accept-language'), caller)
    return { ...created, ...(notifyWarning !== null && { notifyWarning }) }
  },
})

const openRequestRoute = defineRoute({
  summary: 'Read a request with its link: recipient, encrypted title and limits',
  params,
  body: api.OpenRequest,
  response: api.OpenedRequest,
  errors: ['secret_request.not_found'],
  handle: ({ params, body, caller }, app) => openRequest(app, params.id, body, caller),
})

const createSubmissionRoute = defineRoute({
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
  handle: ({ params, body, caller, header }, app) =>
    submitToRequest(app, params.id, body, caller, header('idempotency-key')),
})

const collectRequestRoute = defineRoute({
  summary: 'List the submissions of a request with its collect link',
  params,
  body: api.CollectRequest,
  response: api.CollectedRequest,
  errors: ['secret_request.not_found'],
  handle: ({ params, body }, app) => collectRequest(app, params.id, body),
})

const closeRequestRoute = defineRoute({
  summary: 'Close a request and burn its unopened submissions: with its collect proof, or as its owner',
  params,
  body: api.CloseRequest,
  errors: ['secret_request.not_found'],
  handle: ({ params, body, caller }, app) => closeRequest(app, params.id, body, caller),
})

const listOwnRequestsRoute = defineRoute({
  summary: "List the caller's own requests, newest first",
  query: api.Page,
  response: api.OwnRequests,
  handle: ({ query, caller }, app) => listOwnRequests(app, query, caller),
})

// biome-ignore format: one row per route
export const requestRoutes: RouteRow[] = [
  ['POST',   '/request',                'request-create',  { requires: 'secrets:create', allowAnonymous: true }, createRequestRoute],
  ['POST',   '/request/:id/open',       'request-open',    {},                         openRequestRoute, 'open'],
  ['POST',   '/request/:id/submission', 'request-submit',  {},                         createSubmissionRoute, 'open'],
  ['POST',   '/request/:id/collect',    'request-collect', {},                         collectRequestRoute, 'open'],
  ['DELETE', '/request/:id',            'request-collect', {},                         closeRequestRoute, 'open'],
  ['GET',    '/account/requests',       'list',            { requires: 'secrets:read' }, listOwnRequestsRoute],
]
