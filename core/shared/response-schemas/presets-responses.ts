/** Generated: `npx vitest run --project fast core/http/response-schemas.test.ts -u`. */
import type { z } from 'zod'
import type * as api from '../api/presets.js'
import type { JsonSchemaOf } from '../check-json.js'

export type Presets = z.infer<typeof api.Presets>
export const Presets: JsonSchemaOf<Presets> = {"type":"object","properties":{"presets":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string","maxLength":2000},"ttl":{"type":"integer","minimum":0},"maxViews":{"type":"integer","minimum":0},"options":{"type":"array","items":{"type":"string","enum":["password","recipients","preventBurn","receipt","notify"]}}},"optional":["ttl","maxViews"]}},"version":{"type":"integer","minimum":0}}}
