/** Generated: `npx vitest run --project fast core/http/response-schemas.test.ts -u`. */
import type { z } from 'zod'
import type * as api from '../api/requests.js'
import type { JsonSchemaOf } from '../check-json.js'

export type CollectedRequest = z.infer<typeof api.CollectedRequest>
export const CollectedRequest: JsonSchemaOf<CollectedRequest> = {"type":"object","properties":{"note":{"anyOf":[{"type":"string","contentMediaType":"application/age"},{"type":"null"}]},"expiresAt":{"type":"integer","minimum":0,"maximum":8640000000000000},"submissions":{"type":"array","items":{"type":"object","properties":{"id":{"type":"string","pattern":"^[A-Za-z0-9_-]{22}$"},"createdAt":{"type":"integer","minimum":0,"maximum":8640000000000000},"expiresAt":{"type":"integer","minimum":0,"maximum":8640000000000000},"size":{"type":"integer","minimum":0},"files":{"type":"integer","minimum":0},"viewed":{"type":"boolean"}}}}}}

export type CreatedRequest = z.infer<typeof api.CreatedRequest>
export const CreatedRequest: JsonSchemaOf<CreatedRequest> = {"type":"object","properties":{"id":{"type":"string","pattern":"^[A-Za-z0-9_-]{22}$"},"url":{"type":"string","maxLength":2000},"expiresAt":{"type":"integer","minimum":0,"maximum":8640000000000000},"notifyWarning":{"type":"string","enum":["address_not_verified","notifications_off"]}},"optional":["notifyWarning"]}

export type CreatedSubmission = z.infer<typeof api.CreatedSubmission>
export const CreatedSubmission: JsonSchemaOf<CreatedSubmission> = {"type":"object","properties":{"id":{"type":"string","pattern":"^[A-Za-z0-9_-]{22}$"},"expiresAt":{"type":"integer","minimum":0,"maximum":8640000000000000}}}

export type OpenedRequest = z.infer<typeof api.OpenedRequest>
export const OpenedRequest: JsonSchemaOf<OpenedRequest> = {"type":"object","properties":{"recipient":{"type":"string","maxLength":2000},"note":{"anyOf":[{"type":"string","contentMediaType":"application/age"},{"type":"null"}]},"expiresAt":{"type":"integer","minimum":0,"maximum":8640000000000000},"submissionsLeft":{"type":"integer","minimum":0},"maxBytes":{"anyOf":[{"type":"integer","minimum":0},{"type":"null"}]},"maxFileBytes":{"type":"integer","minimum":0},"allowFiles":{"type":"boolean"}}}

export type OwnRequests = z.infer<typeof api.OwnRequests>
export const OwnRequests: JsonSchemaOf<OwnRequests> = {"type":"array","items":{"type":"object","properties":{"id":{"type":"string","pattern":"^[A-Za-z0-9_-]{22}$"},"createdAt":{"type":"integer","minimum":0,"maximum":8640000000000000},"expiresAt":{"type":"integer","minimum":0,"maximum":8640000000000000},"submissions":{"type":"integer","minimum":0},"unopened":{"type":"integer","minimum":0},"maxSubmissions":{"type":"integer","minimum":0},"allowFiles":{"type":"boolean"}}}}
