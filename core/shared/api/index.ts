/**
 * Schemas of every request and response of the HTTP API. The server validates with them, the OpenAPI document is
 * generated from them, and clients use their types.
 */
export * from './account.js'
export * from './admin.js'
export { ApiError, FileId, type NotifyWarning, Page, PROOF_PATTERN, SecretId, Verified } from './common.js'
export * from './device.js'
export * from './factors.js'
export * from './files.js'
export * from './instance.js'
export * from './own-secrets.js'
export * from './policies.js'
export * from './presets.js'
export * from './receipts.js'
export * from './requests.js'
export * from './secrets.js'
export * from './webhooks.js'
