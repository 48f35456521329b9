import { SETTING_NAMES } from '#shared/instance-settings'
import { INSTANCE_OPTIONS, type InstanceFlags } from '../../instance/instance-options.js'
import { command } from '../command.js'

export const settingsGet = command<InstanceFlags>({
  name: 'settings get',
  summary: 'print one of the settings of administrators',
  argument: ['<setting>', 'its name', SETTING_NAMES],
  options: INSTANCE_OPTIONS,
  examples: [['the bare value', 'mayfly settings get read_only']],
  async run({ io, flags, words }) {
    const { getSetting } = await import('./manage-settings.js')
    await getSetting(words[0] as string, flags, io)
  },
})
