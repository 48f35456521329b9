/** The use cases of external identities, bound to their dependencies. */
import { connectIdentity, disconnectIdentity, listIdentities } from './connect-identity.js'
import { type IdentityDeps, resolveIdentity } from './resolve-identity.js'

export type OutsideService = ReturnType<typeof outsideService>

export const outsideService = (deps: IdentityDeps) => ({
  accountOf: resolveIdentity.bind(null, deps),
  connect: connectIdentity.bind(null, deps),
  connected: listIdentities.bind(null, deps),
  disconnect: disconnectIdentity.bind(null, deps),
})
