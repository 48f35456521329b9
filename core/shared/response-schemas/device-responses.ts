/** Generated: `npx vitest run --project fast core/http/response-schemas.test.ts -u`. */
import type { z } from 'zod'
import type * as api from '../api/device.js'
import type { JsonSchemaOf } from '../check-json.js'

export type PendingDeviceLogin = z.infer<typeof api.PendingDeviceLogin>
export const PendingDeviceLogin: JsonSchemaOf<PendingDeviceLogin> = {"type":"object","properties":{"client":{"type":"string","maxLength":2000},"address":{"anyOf":[{"type":"string","maxLength":2000},{"type":"null"}]},"createdAt":{"type":"integer","minimum":0,"maximum":8640000000000000},"scopes":{"type":"array","items":{"type":"string","enum":["secrets:create","secrets:read","account"]}}}}

export type StartedDeviceLogin = z.infer<typeof api.StartedDeviceLogin>
export const StartedDeviceLogin: JsonSchemaOf<StartedDeviceLogin> = {"type":"object","properties":{"deviceCode":{"type":"string","maxLength":2000},"userCode":{"type":"string","maxLength":2000},"verificationUrl":{"type":"string","maxLength":2000},"expiresInSeconds":{"type":"integer","minimum":0},"intervalSeconds":{"type":"integer","minimum":0}}}
