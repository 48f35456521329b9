import { SETTING_NAMES } from '#shared/instance-settings'
import { ADMIN_OPTIONS, type AdminFlags } from '../../instance/with-administration.js'
import { command } from '../command.js'

export const settingsGet = command<AdminFlags>({
  name: 'settings get',
  summary: 'print an instance setting',
  argument: ['<setting>', 'name of the setting', SETTING_NAMES],
  options: ADMIN_OPTIONS,
  examples: [['only the value', 'mayfly settings get read_only']],
  async run({ io, flags, args }) {
    const { getSetting } = await import('./manage-settings.js')
    await getSetting(args[0] as string, flags, io)
  },
})
