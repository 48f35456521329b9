/** Generated: `npx vitest run --project fast core/http/response-schemas.test.ts -u`. */
import type { z } from 'zod'
import type * as api from '../api/policies.js'
import type { JsonSchemaOf } from '../check-json.js'

export type ExplainedPolicy = z.infer<typeof api.ExplainedPolicy>
export const ExplainedPolicy: JsonSchemaOf<ExplainedPolicy> = {"type":"object","properties":{"groups":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string","maxLength":2000},"provider":{"anyOf":[{"type":"string","maxLength":2000},{"type":"null"}]}}}},"values":{"type":"array","items":{"type":"object","properties":{"column":{"type":"string","enum":["lifetimes","defaultTtl","maxViews","defaultViews","password","requireAddress","files","maxFileBytes","mayCreate","mayRequest"]},"value":{"type":"string","maxLength":2000},"from":{"type":"array","items":{"type":"string","maxLength":2000}}}}}}}

export type PolicyTable = z.infer<typeof api.PolicyTable>
export const PolicyTable: JsonSchemaOf<PolicyTable> = {"type":"object","properties":{"policies":{"type":"object","additionalProperties":{"type":"object","properties":{"lifetimes":{"type":"array","items":{"type":"object","properties":{"min":{"type":"integer","minimum":0},"max":{"type":"integer","minimum":0}}}},"defaultTtl":{"type":"integer","minimum":60,"maximum":315360000},"maxViews":{"type":"integer","minimum":1,"maximum":9999},"defaultViews":{"type":"integer","minimum":1,"maximum":9999},"password":{"type":"string","enum":["offered","required"]},"requireAddress":{"type":"boolean"},"files":{"type":"boolean"},"maxFileBytes":{"type":"integer","minimum":1},"mayCreate":{"type":"boolean"},"mayRequest":{"type":"boolean"}},"optional":["lifetimes","defaultTtl","maxViews","defaultViews","password","requireAddress","files","maxFileBytes","mayCreate","mayRequest"]}},"version":{"type":"integer","minimum":0}}}
