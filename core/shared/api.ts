/**
 * Schemas of every request and response of the HTTP API. The server validates with them, the OpenAPI document is generated
 * from them, and clients use their types.
 */
export * from './api/account.js'
export * from './api/admin.js'
export { ApiError, FileId, Page, SecretId } from './api/common.js'
export * from './api/files.js'
export * from './api/instance.js'
export * from './api/secrets.js'
