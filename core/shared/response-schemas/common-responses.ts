/** Generated: `npx vitest run --project fast core/http/response-schemas.test.ts -u`. */
import type { z } from 'zod'
import type * as api from '../api/common.js'
import type { JsonSchemaOf } from '../check-json.js'

export type ApiError = z.infer<typeof api.ApiError>
export const ApiError: JsonSchemaOf<ApiError> = {"type":"object","properties":{"statusCode":{"type":"integer"},"error":{"type":"string"},"code":{"type":"string"},"message":{"type":"string"},"field":{"type":"string"},"attemptsLeft":{"type":"integer"},"retryAfter":{"type":"integer"},"requestId":{"type":"string"}},"optional":["field","attemptsLeft","retryAfter","requestId"]}

export type Verified = z.infer<typeof api.Verified>
export const Verified: JsonSchemaOf<Verified> = {"type":"object","properties":{"username":{"type":"string","maxLength":2000},"role":{"type":"string","enum":["user","admin"]},"generated":{"type":"boolean"}}}
