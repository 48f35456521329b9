/** The calls about secrets. */
import { z } from 'zod'
import * as api from '../../shared/api.js'
import { call } from '../call.js'

const params = z.object({ id: api.SecretId })
const proof = { 'mayfly-access': api.AckSecret.shape.access.unwrap() }

/** Room for JSON escapes and armour around the largest text. */
const createLimit = (maxTextBytes: number) => 4 * maxTextBytes

export function secretCalls({ maxTextBytes }: { maxTextBytes: number }) {
  return [
    call({
      method: 'POST',
      path: '/secret',
      summary: 'Create a secret',
      needs: 'secrets:create',
      visitors: true,
      limit: 'secret-create',
      headers: { 'idempotency-key': api.IdempotencyKey },
      body: api.CreateSecret,
      bodyLimit: createLimit(maxTextBytes),
      status: 201,
      answer: api.CreatedSecret,
      errors: [
        ...(['settings.read_only', 'request.idempotency_mismatch', 'token.used_up', 'storage.full'] as const),
        ...(['file.not_found', 'file.incomplete', 'settings.uploads_disabled', 'file.visitors_refused'] as const),
        ...(['file.too_many_uploads', 'file.quota_used_up'] as const),
      ],
      handle: ({ body, caller, header }, { secrets }) => secrets.create(body, caller, header('idempotency-key')),
    }),
    call({
      method: 'GET',
      path: '/secret',
      summary: "List the caller's own secrets, newest first",
      limit: 'list',
      needs: 'secrets:read',
      query: api.Page,
      status: 200,
      answer: api.OwnSecrets,
      handle: ({ query, caller }, { secrets }) => secrets.listOwn(query, caller),
    }),
    call({
      method: 'GET',
      path: '/secret/public',
      summary: 'List public secrets',
      limit: 'list',
      query: api.Page,
      status: 200,
      answer: api.PublicSecrets,
      handle: ({ query }, { secrets }) => secrets.listPublic(query),
    }),
    call({
      method: 'GET',
      path: '/secret/public/:username',
      summary: 'List the public secrets of one user',
      limit: 'list',
      params: z.object({ username: z.string() }),
      query: api.Page,
      status: 200,
      answer: api.PublicSecrets,
      handle: ({ params, query }, { secrets }) => secrets.listPublic(query, params.username),
    }),
    call({
      method: 'GET',
      path: '/secret/:id/exist',
      summary: 'Look whether a secret is there, without viewing it',
      limit: 'secret-exist',
      params,
      headers: proof,
      status: 200,
      answer: api.SecretExists,
      errors: ['secret.not_found'],
      handle: ({ params, caller, header }, { secrets }) => secrets.exist(params.id, header('mayfly-access'), caller),
    }),
    call({
      method: 'GET',
      path: '/secret/:id',
      summary: 'View a raw or public secret that has no password; each GET is a view of its own, HEAD is none',
      limit: 'secret-view',
      params,
      status: 200,
      answer: api.ViewedSecret,
      errors: ['secret.not_found', 'secret.password_required'],
      async handle({ params, caller, method }, { secrets }) {
        // The answer to HEAD has no body, so there is nothing to view.
        if (method === 'HEAD') return (await secrets.exist(params.id, undefined, caller)) as never
        return secrets.view(params.id, {}, caller)
      },
    }),
    call({
      method: 'POST',
      path: '/secret/:id',
      summary: 'View a secret; the same claim gets the same answer again for a while and counts once',
      limit: 'secret-view',
      params,
      body: api.ViewSecret,
      status: 200,
      answer: api.ViewedSecret,
      errors: ['secret.not_found', 'secret.password_required', 'secret.password_wrong', 'secret.locked'],
      handle: ({ params, body, caller }, { secrets }) => secrets.view(params.id, body, caller),
    }),
    call({
      method: 'POST',
      path: '/secret/:id/ack',
      summary: 'Tell that a view has arrived, so that a used-up secret is destroyed now',
      limit: 'secret-ack',
      params,
      body: api.AckSecret,
      status: 204,
      errors: ['secret.not_found'],
      handle: ({ params, body, caller }, { secrets }) => secrets.ack(params.id, body, caller),
    }),
    call({
      method: 'POST',
      path: '/secret/:id/burn',
      summary: 'Destroy a secret: with a proof, as its owner, or as an administrator',
      limit: 'secret-burn',
      params,
      body: api.BurnSecret,
      status: 200,
      answer: api.BurnedSecret,
      errors: ['secret.not_found'],
      async handle({ params, body, caller }, { secrets }) {
        await secrets.burn(params.id, body, caller)
        return { burned: true as const }
      },
    }),
  ]
}
