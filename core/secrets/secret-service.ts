/** The use cases of secrets, bound to their dependencies. Every caller, HTTP or not, comes through here. */
import { ackSecret } from './ack-secret.js'
import { burnSecret } from './burn-secret.js'
import { createSecret } from './create-secret.js'
import { listOwnSecrets, listPublicSecrets } from './list-secrets.js'
import { lowerLimits } from './lower-limits.js'
import { peekSecret } from './peek-secret.js'
import type { SecretDeps } from './secret-deps.js'
import { viewSecret } from './view-secret.js'

export type SecretsService = ReturnType<typeof secretsService>

export const secretsService = (deps: SecretDeps) => ({
  create: createSecret.bind(null, deps),
  exist: peekSecret.bind(null, deps),
  view: viewSecret.bind(null, deps),
  ack: ackSecret.bind(null, deps),
  burn: burnSecret.bind(null, deps),
  lowerLimits: lowerLimits.bind(null, deps),
  listPublic: listPublicSecrets.bind(null, deps),
  listOwn: listOwnSecrets.bind(null, deps),
})
