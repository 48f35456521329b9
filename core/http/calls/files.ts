/** The calls about files: their upload in parts before a secret claims them, their download after a view. */
import { z } from 'zod'
import * as api from '../../shared/api.js'
import { call } from '../call.js'

const params = z.object({ id: api.FileId })
const part = z.object({ id: api.FileId, index: api.PartIndex })
const authorization = { authorization: api.UploadAuthorization }

/** The token of `Authorization: Upload {token}`; one that is missing opens nothing. */
const tokenIn = (header: string | undefined): string => header?.replace(/^Upload /, '') ?? ''

export function fileCalls() {
  return [
    call({
      method: 'POST',
      path: '/files',
      summary: 'Begin the upload of a sealed file',
      needs: 'secrets:create',
      visitors: true,
      limit: 'upload',
      body: api.CreateFile,
      status: 201,
      answer: api.CreatedFile,
      errors: [
        ...(['settings.uploads_disabled', 'settings.read_only', 'file.visitors_refused', 'file.too_large'] as const),
        ...(['file.too_many_uploads', 'file.quota_used_up', 'storage.full'] as const),
      ],
      handle: ({ body, caller }, { attachments }) => attachments.reserve(body, caller),
    }),
    call({
      method: 'PUT',
      path: '/files/:id/:index',
      summary: 'Store one part; repeating it is fine',
      limit: 'upload-part',
      params: part,
      headers: authorization,
      takes: 'octets',
      status: 204,
      errors: [
        ...(['file.not_found', 'settings.uploads_disabled'] as const),
        ...(['file.no_space', 'file.unavailable', 'storage.full'] as const),
      ],
      handle: ({ params, header, octets }, { attachments }) =>
        attachments.putPart({ ...params, token: tokenIn(header('authorization')) }, octets),
    }),
    call({
      method: 'GET',
      path: '/files/:id',
      summary: 'Which parts are stored: what a resumed upload asks first',
      limit: 'upload-part',
      params,
      headers: authorization,
      status: 200,
      answer: api.FileParts,
      errors: ['file.not_found'],
      async handle({ params, header }, { attachments }) {
        return { parts: await attachments.storedParts(params.id, tokenIn(header('authorization'))) }
      },
    }),
    call({
      method: 'DELETE',
      path: '/files/:id',
      summary: 'Cancel an upload',
      limit: 'upload-part',
      params,
      headers: authorization,
      status: 204,
      errors: ['file.not_found'],
      handle: ({ params, header }, { attachments }) => attachments.cancel(params.id, tokenIn(header('authorization'))),
    }),
    call({
      method: 'POST',
      path: '/download',
      summary: 'Download a file, or one part of it, with the ticket of a view',
      limit: 'download',
      body: api.Download,
      status: 200,
      answers: 'octets',
      errors: ['file.not_found', 'file.unavailable'],
      handle: ({ body }, { downloads }) => downloads.download(body),
    }),
  ]
}
