/** The use cases of external identities, bound to their dependencies. */
import { connectIdentity, disconnectIdentity, listIdentities } from './connect-identity.js'
import { type IdentityDeps, resolveIdentity } from './resolve-identity.js'

export type IdentityService = ReturnType<typeof identityService>

export const identityService = (deps: IdentityDeps) => ({
  resolve: resolveIdentity.bind(null, deps),
  connect: connectIdentity.bind(null, deps),
  list: listIdentities.bind(null, deps),
  disconnect: disconnectIdentity.bind(null, deps),
})
