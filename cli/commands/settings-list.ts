import { command } from '../command.js'
import { HEADER_OPTION } from '../people/options.js'
import type { ListFlags } from '../people/table.js'
import { INSTANCE_OPTIONS, type InstanceFlags } from '../server/options.js'

export const settingsList = command<InstanceFlags & ListFlags>({
  name: 'settings list',
  summary: 'what administrators have set',
  options: [HEADER_OPTION, ...INSTANCE_OPTIONS],
  examples: [['all of them', 'mayfly settings list']],
  async run({ io, flags }) {
    const { listSettings } = await import('../people/settings.js')
    await listSettings(flags, io)
  },
})
