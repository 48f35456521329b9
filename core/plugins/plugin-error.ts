/** The message names the plugin and the reason why it cannot be used. */
export class PluginError extends Error {
  override name = 'PluginError'
}
