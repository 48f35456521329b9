/** Generated: `npx vitest run --project fast core/http/response-schemas.test.ts -u`. */
import type { z } from 'zod'
import type * as api from '../api/secrets.js'
import type { JsonSchemaOf } from '../check-json.js'

export type BurnedSecret = z.infer<typeof api.BurnedSecret>
export const BurnedSecret: JsonSchemaOf<BurnedSecret> = {"type":"object","properties":{"burned":{"type":"boolean","const":true}}}

export type CreatedSecret = z.infer<typeof api.CreatedSecret>
export const CreatedSecret: JsonSchemaOf<CreatedSecret> = {"type":"object","properties":{"id":{"type":"string","pattern":"^[A-Za-z0-9_-]{22}(~[A-Za-z0-9_-]{43})?$"},"url":{"type":"string","maxLength":2000},"burnToken":{"type":"string","pattern":"^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$"},"expiresAt":{"type":"integer","minimum":0,"maximum":8640000000000000},"maxViews":{"anyOf":[{"type":"integer","minimum":0},{"type":"null"}]},"kind":{"type":"string","enum":["sealed","raw","public"]},"receipt":{"type":"string","maxLength":2000},"notifyWarning":{"type":"string","enum":["address_not_verified","notifications_off"]},"zeroKnowledge":{"type":"boolean","const":false}},"optional":["receipt","notifyWarning","zeroKnowledge"]}

export type LoweredLimits = z.infer<typeof api.LoweredLimits>
export const LoweredLimits: JsonSchemaOf<LoweredLimits> = {"type":"object","properties":{"id":{"type":"string","pattern":"^[A-Za-z0-9_-]{22}(~[A-Za-z0-9_-]{43})?$"},"maxViews":{"anyOf":[{"type":"integer","minimum":0},{"type":"null"}]},"expiresAt":{"type":"integer","minimum":0,"maximum":8640000000000000},"allowedIp":{"anyOf":[{"type":"string","maxLength":2000},{"type":"null"}]}}}

export type PublicSecrets = z.infer<typeof api.PublicSecrets>
export const PublicSecrets: JsonSchemaOf<PublicSecrets> = {"type":"array","items":{"type":"object","properties":{"id":{"type":"string","pattern":"^[A-Za-z0-9_-]{22}(~[A-Za-z0-9_-]{43})?$"},"title":{"anyOf":[{"type":"string","maxLength":2000},{"type":"null"}]},"username":{"anyOf":[{"type":"string","maxLength":2000},{"type":"null"}]},"createdAt":{"type":"integer","minimum":0,"maximum":8640000000000000},"expiresAt":{"type":"integer","minimum":0,"maximum":8640000000000000}}}}

export type SecretExists = z.infer<typeof api.SecretExists>
export const SecretExists: JsonSchemaOf<SecretExists> = {"type":"object","properties":{"id":{"type":"string","pattern":"^[A-Za-z0-9_-]{22}(~[A-Za-z0-9_-]{43})?$"},"maxViews":{"anyOf":[{"type":"integer","minimum":0},{"type":"null"}]},"passwordRequired":{"type":"boolean"},"codeRequired":{"type":"boolean"},"expiresAt":{"type":"integer","minimum":0,"maximum":8640000000000000},"files":{"type":"integer","minimum":0},"kind":{"type":"string","enum":["sealed","raw","public"]}}}

export type ViewedSecret = z.infer<typeof api.ViewedSecret>
export const ViewedSecret: JsonSchemaOf<ViewedSecret> = {"type":"object","properties":{"id":{"type":"string","pattern":"^[A-Za-z0-9_-]{22}(~[A-Za-z0-9_-]{43})?$"},"kind":{"type":"string","enum":["sealed","raw","public"]},"text":{"type":"string","contentMediaType":"text/plain"},"title":{"anyOf":[{"type":"string","maxLength":2000},{"type":"null"}]},"files":{"type":"array","items":{"type":"object","properties":{"id":{"type":"string","pattern":"^[A-Za-z0-9_-]{22}$"},"size":{"type":"integer","minimum":0},"parts":{"type":"integer","minimum":0},"key":{"type":"string","pattern":"^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$"},"name":{"type":"string","maxLength":2000},"type":{"type":"string","maxLength":2000}},"optional":["name","type"]}},"maxViews":{"anyOf":[{"type":"integer","minimum":0},{"type":"null"}]},"preventBurn":{"type":"boolean"},"isPublic":{"type":"boolean"},"expiresAt":{"type":"integer","minimum":0,"maximum":8640000000000000}}}
