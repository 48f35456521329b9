import { SET_OPTION } from '../../instance/instance-options.js'
import { command } from '../command.js'
import type { PluginCheckFlags } from './check-plugin.js'

export const pluginCheck = command<PluginCheckFlags>({
  name: 'plugin check',
  summary: 'load and start a plugin without a database, and report what is wrong; exits with 9 then',
  argument: ['<plugin>', 'path of a file, name of a package, or name of a built-in plugin'],
  options: [SET_OPTION],
  examples: [
    ['a plugin in a file', 'mayfly plugin check ./my-plugin.js'],
    ['with an option', 'mayfly plugin check ./my-plugin.js --set my-plugin.url=https://example.org'],
  ],
  async run({ io, flags, args, catalog }) {
    const { checkPluginFile } = await import('./check-plugin.js')
    await checkPluginFile(args[0] as string, flags, { io, ownCommands: catalog.commands.map(({ name }) => name) })
  },
})
