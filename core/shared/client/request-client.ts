/** HTTP client of secret requests. */
import type { CreateFile, CreateRequest, CreateSubmission } from '../api/index.js'
import { CreatedFile } from '../response-schemas/files-responses.js'
import {
  CollectedRequest,
  CreatedRequest,
  CreatedSubmission,
  OpenedRequest,
  OwnRequests,
} from '../response-schemas/requests-responses.js'
import { type Client, type ClientOptions, createSend } from './client.js'

export type RequestClient = ReturnType<typeof createRequestClient>

export function createRequestClient(options: ClientOptions) {
  const { send, sendWithRetry } = createSend(options)
  const path = (id: string, action = '') => `/request/${encodeURIComponent(id)}${action}`
  return {
    /** Creates a request once, also with retries. `key`: the idempotency key, a random value. */
    create: (body: CreateRequest, key: string) =>
      sendWithRetry({
        response: CreatedRequest,
        method: 'POST',
        path: '/request',
        body,
        headers: { 'idempotency-key': key },
      }),
    /** Spends nothing. `submit`: the submit proof. */
    open: (id: string, submit: string) =>
      sendWithRetry({ response: OpenedRequest, method: 'POST', path: path(id, '/open'), body: { submit } }),
    /**
     * Submits once, also with retries. `key`: the idempotency key, a random value that the caller reuses when it
     * retries.
     */
    submit: (id: string, body: CreateSubmission, key: string, signal?: AbortSignal) =>
      sendWithRetry({
        response: CreatedSubmission,
        method: 'POST',
        path: path(id, '/submission'),
        body,
        headers: { 'idempotency-key': key },
        signal,
      }),
    /** Lists the submissions. `collect`: the collect proof. */
    collect: (id: string, collect: string) =>
      sendWithRetry({ response: CollectedRequest, method: 'POST', path: path(id, '/collect'), body: { collect } }),
    /** Without a proof for the owner. */
    close: (id: string, collect?: string) => send({ method: 'DELETE', path: path(id), body: { collect } }),
    /** Lists the caller's open requests, newest first. */
    list: ({ skip, take }: { skip: number; take: number }) =>
      sendWithRetry({ response: OwnRequests, method: 'GET', path: `/account/requests?skip=${skip}&take=${take}` }),
    /** A client that uploads files for a submission. */
    uploader: (client: Client, id: string, submit: string): Client => ({
      ...client,
      createFile: (body: CreateFile, signal?: AbortSignal) =>
        send({
          response: CreatedFile,
          method: 'POST',
          path: '/files',
          body,
          headers: { authorization: `Request ${id}.${submit}` },
          signal,
        }),
    }),
  }
}
