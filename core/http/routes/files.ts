/** Routes of files: upload in parts before a secret is created, download after a view. */
import { z } from 'zod'
import { cancelUpload } from '../../attachments/cancel-upload.js'
import { downloadFile } from '../../attachments/download-file.js'
import { listStoredParts, putPart } from '../../attachments/put-part.js'
import { reserveUpload } from '../../attachments/reserve-upload.js'
import { AppError } from '../../lib/errors.js'
import { reserveRequestFile } from '../../requests/submit-to-request.js'
import * as api from '../../shared/api/index.js'
import { defineRoute, type RouteRow } from './route.js'

const params = z.object({ id: api.FileId })
const partParams = z.object({ id: api.FileId, index: api.PartIndex })
const headers = { authorization: api.UploadAuthorization }

const createFileRoute = defineRoute({
  summary: 'Start the upload of an encrypted file, also for a submission to a request',
  headers: { authorization: api.RequestAuthorization },
  body: api.CreateFile,
  status: 201,
  response: api.CreatedFile,
  errors: [
    'secret_request.not_found',
    'settings.uploads_disabled',
    'settings.read_only',
    'settings.users_only',
    'settings.admins_only',
    'settings.policy',
    'auth.email_unverified',
    'auth.not_creator',
    'file.visitors_refused',
    'file.too_large',
    'file.too_many_uploads',
    'file.quota_used_up',
    'file.no_space',
    'token.used_up',
    'storage.full',
  ],
  async handle({ body, caller, header }, app, { role }) {
    const authorization = parseRequestAuthorization(header('authorization'))
    if (authorization) return reserveRequestFile(app, authorization, body, caller)
    // A file for a secret of the caller, which a process with this role does not create.
    if (role === 'open') throw new AppError('request.wrong_role')
    return reserveUpload(app, body, caller)
  },
})

const putPartRoute = defineRoute({
  summary: 'Upload one part; may be repeated',
  params: partParams,
  headers,
  requestType: 'bytes',
  errors: ['file.not_found', 'settings.uploads_disabled', 'file.no_space', 'file.unavailable', 'storage.full'],
  handle: ({ params, header, stream }, app) =>
    putPart(app, { ...params, token: uploadToken(header('authorization')) }, stream),
})

const listPartsRoute = defineRoute({
  summary: 'List the stored parts, to resume an upload',
  params,
  headers,
  response: api.FileParts,
  errors: ['file.not_found'],
  async handle({ params, header }, app) {
    return { parts: await listStoredParts(app, params.id, uploadToken(header('authorization'))) }
  },
})

const cancelUploadRoute = defineRoute({
  summary: 'Cancel an upload',
  params,
  headers,
  errors: ['file.not_found'],
  handle: ({ params, header }, app) => cancelUpload(app, params.id, uploadToken(header('authorization'))),
})

const downloadFileRoute = defineRoute({
  summary: 'Download a file, or one part of it, with the ticket of a view',
  body: api.Download,
  responseType: 'bytes',
  errors: ['file.not_found', 'file.unavailable', 'file.damaged'],
  handle: ({ body, caller }, app) => downloadFile(app, body, caller),
})

// biome-ignore format: one row per route
export const fileRoutes: RouteRow[] = [
  ['POST',   '/files',            'upload',      { requires: 'secrets:create', allowAnonymous: true }, createFileRoute, 'open'],
  ['PUT',    '/files/:id/:index', 'upload-part', {},                                                   putPartRoute, 'open'],
  ['GET',    '/files/:id',        'upload-part', {},                                                   listPartsRoute, 'open'],
  ['DELETE', '/files/:id',        'upload-part', {},                                                   cancelUploadRoute, 'open'],
  ['POST',   '/download',         'download',    { whileRestricted: true },                            downloadFileRoute, 'open'],
]

/** Id and submit proof of `Authorization: Request {id}.{proof}`. Null for another scheme. */
function parseRequestAuthorization(header = ''): { id: string; submit: string } | null {
  const [, id, submit] = /^request ([^.]+)\.(.+)$/i.exec(header) ?? []
  return id && submit ? { id, submit } : null
}

/** The token of `Authorization: Upload {token}`. Empty without the header, which no upload accepts. */
const uploadToken = (header: string | undefined): string => header?.replace(/^Upload /, '') ?? ''
