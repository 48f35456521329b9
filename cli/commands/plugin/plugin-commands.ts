import { type InstanceFlags, SET_OPTION } from '../../instance/instance-options.js'
import type { ListFlags } from '../../output/table.js'
import { type Command, command } from '../command.js'
import { HEADER_OPTION } from '../shared-options.js'
import type { PluginCheckFlags } from './check-plugin.js'

const pluginList = command<InstanceFlags & ListFlags>({
  name: 'plugin list',
  summary: 'list the plugins of the config, and what they are used for',
  options: [HEADER_OPTION, SET_OPTION],
  examples: [['names and versions, as JSON', 'mayfly plugin list --json']],
  run: async ({ io, flags }) => (await import('./list-plugins.js')).listPlugins(flags, io),
})

const pluginCheck = command<PluginCheckFlags>({
  name: 'plugin check',
  summary: 'load and start a plugin without a database, and report problems; exits with 9 if there are any',
  argument: ['<plugin>', 'path of a file, name of a package, or name of a built-in plugin'],
  options: [SET_OPTION],
  examples: [
    ['a plugin in a file', 'mayfly plugin check ./my-plugin.js'],
    ['with an option', 'mayfly plugin check ./my-plugin.js --set my-plugin.url=https://example.org'],
  ],
  run: async ({ io, flags, args, catalog }) =>
    (await import('./check-plugin.js')).checkPluginFile(args[0] as string, flags, {
      io,
      ownCommands: catalog.commands.map(({ name }) => name),
    }),
})

export const pluginCommands: Command[] = [pluginList, pluginCheck]
