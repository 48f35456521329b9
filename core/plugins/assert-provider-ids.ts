/** Rules for the ids of auth providers. */
import type { AuthProvider } from '../contracts/auth-provider.js'
import { PluginError } from './plugin-error.js'

/** Throws PluginError for an invalid or duplicate id. */
export function assertProviderIds(providers: AuthProvider[]): void {
  for (const [index, { id }] of providers.entries()) {
    if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(id)) throw new PluginError(`"${id}" is not a valid auth provider id.`)
    if (providers.findIndex((other) => other.id === id) < index)
      throw new PluginError(`Two auth providers have the id "${id}".`)
  }
}
