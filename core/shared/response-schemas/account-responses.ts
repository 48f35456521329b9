/** Generated: `npx vitest run --project fast core/http/response-schemas.test.ts -u`. */
import type { z } from 'zod'
import type * as api from '../api/account.js'
import type { JsonSchemaOf } from '../check-json.js'

export type Access = z.infer<typeof api.Access>
export const Access: JsonSchemaOf<Access> = {"type":"object","properties":{"sessions":{"type":"array","items":{"type":"object","properties":{"id":{"type":"string","maxLength":2000},"client":{"type":"string","maxLength":2000},"createdAt":{"type":"integer","minimum":0,"maximum":8640000000000000},"seenAt":{"type":"integer","minimum":0,"maximum":8640000000000000}}}},"tokens":{"type":"array","items":{"type":"object","properties":{"id":{"type":"string","maxLength":2000},"name":{"type":"string","maxLength":2000},"createdAt":{"type":"integer","minimum":0,"maximum":8640000000000000},"usedAt":{"anyOf":[{"type":"integer","minimum":0,"maximum":8640000000000000},{"type":"null"}]}}}},"identities":{"type":"array","items":{"type":"object","properties":{"id":{"type":"string","maxLength":2000},"provider":{"type":"string","maxLength":2000},"label":{"type":"string","maxLength":2000},"createdAt":{"anyOf":[{"type":"integer","minimum":0,"maximum":8640000000000000},{"type":"null"}]}}}},"webhooks":{"type":"array","items":{"type":"object","properties":{"id":{"type":"string","maxLength":2000},"name":{"type":"string","maxLength":2000},"host":{"type":"string","maxLength":2000},"createdAt":{"type":"integer","minimum":0,"maximum":8640000000000000}}}},"factors":{"type":"array","items":{"type":"object","properties":{"id":{"type":"string","maxLength":2000},"kind":{"type":"string","enum":["passkey","authenticator","recovery-codes"]},"name":{"type":"string","maxLength":2000},"createdAt":{"anyOf":[{"type":"integer","minimum":0,"maximum":8640000000000000},{"type":"null"}]},"usedAt":{"anyOf":[{"type":"integer","minimum":0,"maximum":8640000000000000},{"type":"null"}]}}}}}}

export type AccountResponse = z.infer<typeof api.AccountResponse>
export const AccountResponse: JsonSchemaOf<AccountResponse> = {"type":"object","properties":{"user":{"type":"object","properties":{"username":{"type":"string","maxLength":2000},"email":{"type":"string","maxLength":2000},"role":{"type":"string","enum":["user","admin"]},"generated":{"type":"boolean"},"hasPassword":{"type":"boolean"},"createdAt":{"type":"integer","minimum":0,"maximum":8640000000000000},"emailVerified":{"anyOf":[{"type":"integer","minimum":0,"maximum":8640000000000000},{"type":"null"}]},"notifications":{"type":"boolean"},"signInAlerts":{"type":"boolean"},"defaults":{"type":"object","properties":{"ttl":{"anyOf":[{"type":"integer","minimum":0},{"type":"null"}]},"views":{"anyOf":[{"type":"integer","minimum":0},{"type":"null"}]}}}}}}}

export type CreatedToken = z.infer<typeof api.CreatedToken>
export const CreatedToken: JsonSchemaOf<CreatedToken> = {"type":"object","properties":{"id":{"type":"string","maxLength":2000},"name":{"type":"string","maxLength":2000},"scopes":{"type":"array","items":{"type":"string","enum":["secrets:create","secrets:read","account","admin","admin:read","admin:users","admin:settings"]}},"createdAt":{"type":"integer","minimum":0,"maximum":8640000000000000},"usedAt":{"anyOf":[{"type":"integer","minimum":0,"maximum":8640000000000000},{"type":"null"}]},"expiresAt":{"type":"integer","minimum":0,"maximum":8640000000000000},"secretsLeft":{"anyOf":[{"type":"integer","minimum":0},{"type":"null"}]},"bytesLeft":{"anyOf":[{"type":"integer","minimum":0},{"type":"null"}]},"allowedIp":{"anyOf":[{"type":"string","maxLength":2000},{"type":"null"}]},"token":{"type":"string","maxLength":2000}}}

export type DeletedAccount = z.infer<typeof api.DeletedAccount>
export const DeletedAccount: JsonSchemaOf<DeletedAccount> = {"type":"object","properties":{"user":{"type":"object","properties":{"username":{"type":"string","maxLength":2000},"action":{"type":"string","const":"deleted"}}}}}

export type Identities = z.infer<typeof api.Identities>
export const Identities: JsonSchemaOf<Identities> = {"type":"array","items":{"type":"object","properties":{"provider":{"type":"string","maxLength":2000},"label":{"type":"string","maxLength":2000}}}}

export type ProviderPage = z.infer<typeof api.ProviderPage>
export const ProviderPage: JsonSchemaOf<ProviderPage> = {"type":"object","properties":{"url":{"type":"string","maxLength":8192,"pattern":"^https?:\\/\\/"}}}

export type ResetAccess = z.infer<typeof api.ResetAccess>
export const ResetAccess: JsonSchemaOf<ResetAccess> = {"type":"object","properties":{"sessions":{"type":"array","items":{"type":"object","properties":{"id":{"type":"string","maxLength":2000},"client":{"type":"string","maxLength":2000},"createdAt":{"type":"integer","minimum":0,"maximum":8640000000000000},"seenAt":{"type":"integer","minimum":0,"maximum":8640000000000000}}}},"tokens":{"type":"array","items":{"type":"object","properties":{"id":{"type":"string","maxLength":2000},"name":{"type":"string","maxLength":2000},"createdAt":{"type":"integer","minimum":0,"maximum":8640000000000000},"usedAt":{"anyOf":[{"type":"integer","minimum":0,"maximum":8640000000000000},{"type":"null"}]}}}},"identities":{"type":"array","items":{"type":"object","properties":{"id":{"type":"string","maxLength":2000},"provider":{"type":"string","maxLength":2000},"label":{"type":"string","maxLength":2000},"createdAt":{"anyOf":[{"type":"integer","minimum":0,"maximum":8640000000000000},{"type":"null"}]}}}},"webhooks":{"type":"array","items":{"type":"object","properties":{"id":{"type":"string","maxLength":2000},"name":{"type":"string","maxLength":2000},"host":{"type":"string","maxLength":2000},"createdAt":{"type":"integer","minimum":0,"maximum":8640000000000000}}}},"factors":{"type":"array","items":{"type":"object","properties":{"id":{"type":"string","maxLength":2000},"kind":{"type":"string","enum":["passkey","authenticator","recovery-codes"]},"name":{"type":"string","maxLength":2000},"createdAt":{"anyOf":[{"type":"integer","minimum":0,"maximum":8640000000000000},{"type":"null"}]},"usedAt":{"anyOf":[{"type":"integer","minimum":0,"maximum":8640000000000000},{"type":"null"}]}}}},"username":{"type":"string","maxLength":2000},"passwordMin":{"type":"integer","minimum":0}}}

export type Sessions = z.infer<typeof api.Sessions>
export const Sessions: JsonSchemaOf<Sessions> = {"type":"array","items":{"type":"object","properties":{"id":{"type":"string","maxLength":2000},"client":{"type":"string","maxLength":2000},"createdAt":{"type":"integer","minimum":0,"maximum":8640000000000000},"seenAt":{"type":"integer","minimum":0,"maximum":8640000000000000},"expiresAt":{"type":"integer","minimum":0,"maximum":8640000000000000},"current":{"type":"boolean"}}}}

export type SignedIn = z.infer<typeof api.SignedIn>
export const SignedIn: JsonSchemaOf<SignedIn> = {"type":"object","properties":{"username":{"type":"string","maxLength":2000}}}

export type SignedOut = z.infer<typeof api.SignedOut>
export const SignedOut: JsonSchemaOf<SignedOut> = {"type":"object","properties":{"signout":{"type":"string","const":"ok"}}}

export type Tokens = z.infer<typeof api.Tokens>
export const Tokens: JsonSchemaOf<Tokens> = {"type":"array","items":{"type":"object","properties":{"id":{"type":"string","maxLength":2000},"name":{"type":"string","maxLength":2000},"scopes":{"type":"array","items":{"type":"string","enum":["secrets:create","secrets:read","account","admin","admin:read","admin:users","admin:settings"]}},"createdAt":{"type":"integer","minimum":0,"maximum":8640000000000000},"usedAt":{"anyOf":[{"type":"integer","minimum":0,"maximum":8640000000000000},{"type":"null"}]},"expiresAt":{"type":"integer","minimum":0,"maximum":8640000000000000},"secretsLeft":{"anyOf":[{"type":"integer","minimum":0},{"type":"null"}]},"bytesLeft":{"anyOf":[{"type":"integer","minimum":0},{"type":"null"}]},"allowedIp":{"anyOf":[{"type":"string","maxLength":2000},{"type":"null"}]}}}}

export type UploadUsage = z.infer<typeof api.UploadUsage>
export const UploadUsage: JsonSchemaOf<UploadUsage> = {"type":"object","properties":{"usedBytes":{"type":"integer","minimum":0},"limitBytes":{"anyOf":[{"type":"integer","minimum":0},{"type":"null"}]},"endsAt":{"anyOf":[{"type":"integer","minimum":0,"maximum":8640000000000000},{"type":"null"}]}}}

export type VerifiedEmail = z.infer<typeof api.VerifiedEmail>
export const VerifiedEmail: JsonSchemaOf<VerifiedEmail> = {"type":"object","properties":{"email":{"type":"string","maxLength":2000}}}
