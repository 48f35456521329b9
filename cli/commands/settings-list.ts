import { command } from '../command.js'
import type { DeskFlags } from '../people/desk.js'
import { DESK_OPTIONS, HEADER_OPTION } from '../people/options.js'
import type { ListFlags } from '../people/table.js'

export const settingsList = command<DeskFlags & ListFlags>({
  name: 'settings list',
  summary: 'what administrators have set',
  options: [HEADER_OPTION, ...DESK_OPTIONS],
  examples: [['all of them', 'mayfly settings list']],
  async run({ io, flags }) {
    const { listSettings } = await import('../people/settings.js')
    await listSettings(flags, io)
  },
})
