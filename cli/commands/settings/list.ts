import { INSTANCE_OPTIONS, type InstanceFlags } from '../../instance/instance-options.js'
import type { ListFlags } from '../../output/table.js'
import { HEADER_OPTION } from '../account-options.js'
import { command } from '../command.js'

export const settingsList = command<InstanceFlags & ListFlags>({
  name: 'settings list',
  summary: 'what administrators have set',
  options: [HEADER_OPTION, ...INSTANCE_OPTIONS],
  examples: [['all of them', 'mayfly settings list']],
  async run({ io, flags }) {
    const { listSettings } = await import('./manage-settings.js')
    await listSettings(flags, io)
  },
})
