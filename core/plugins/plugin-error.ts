/** The message says which plugin cannot be used and why. */
export class PluginError extends Error {
  override name = 'PluginError'
}
