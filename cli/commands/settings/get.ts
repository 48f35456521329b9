import { SETTING_NAMES } from '#shared/instance-settings'
import { INSTANCE_OPTIONS, type InstanceFlags } from '../../instance/instance-options.js'
import { command } from '../command.js'

export const settingsGet = command<InstanceFlags>({
  name: 'settings get',
  summary: 'print an instance setting',
  argument: ['<setting>', 'name of the setting', SETTING_NAMES],
  options: INSTANCE_OPTIONS,
  examples: [['only the value', 'mayfly settings get read_only']],
  async run({ io, flags, args }) {
    const { getSetting } = await import('./manage-settings.js')
    await getSetting(args[0] as string, flags, io)
  },
})
