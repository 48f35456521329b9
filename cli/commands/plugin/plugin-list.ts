import { type InstanceFlags, SET_OPTION } from '../../instance/instance-options.js'
import type { ListFlags } from '../../output/table.js'
import { command } from '../command.js'
import { HEADER_OPTION } from '../list-options.js'

export const pluginList = command<InstanceFlags & ListFlags>({
  name: 'plugin list',
  summary: 'list the plugins of the config, and what they are used for',
  options: [HEADER_OPTION, SET_OPTION],
  examples: [['names and versions, as JSON', 'mayfly plugin list --json']],
  async run({ io, flags }) {
    const { listPlugins } = await import('./list-plugins.js')
    await listPlugins(flags, io)
  },
})
