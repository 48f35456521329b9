import { ADMIN_OPTIONS, type AdminFlags } from '../../instance/with-administration.js'
import type { ListFlags } from '../../output/table.js'
import { command } from '../command.js'
import { HEADER_OPTION } from '../list-options.js'

export const settingsList = command<AdminFlags & ListFlags>({
  name: 'settings list',
  summary: 'list the instance settings, and those of the configured plugins',
  options: [HEADER_OPTION, ...ADMIN_OPTIONS],
  examples: [['all settings', 'mayfly settings list']],
  async run({ io, flags }) {
    const { listSettings } = await import('./manage-settings.js')
    await listSettings(flags, io)
  },
})
