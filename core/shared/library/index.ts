/** The package `mayfly/client`: secrets and secret requests for programs, in Node.js, browsers, Deno and Bun. */
export { newClaim } from '../crypto/keys.js'
export { type LibraryErrorCode, MayflyError } from './client-error.js'
export { type Connection, serverOf } from './connection.js'
export { type CreatedLink, createSecret, type SecretInput } from './create-sealed-secret.js'
export type { ContentInput, FileInput, UploadProgress } from './outgoing-content.js'
export {
  type BurnTarget,
  burnSecret,
  getSecretStatus,
  type ReadOptions,
  readSecret,
  type SecretStatus,
} from './read-secret.js'
export type { ReceivedFile, ReceivedSecret } from './received-secret.js'
export {
  type CollectOptions,
  type CreatedRequestLinks,
  closeRequest,
  collect,
  createRequest,
  getRequestStatus,
  listSubmissions,
  type ReceivedSubmission,
  type RequestInput,
  type RequestStatus,
  type SubmissionStatus,
  submit,
} from './secret-requests.js'
export type { ByteChunks } from './stream-source.js'
