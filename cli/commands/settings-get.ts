import { command } from '../command.js'
import type { DeskFlags } from '../people/desk.js'
import { DESK_OPTIONS } from '../people/options.js'
import { SETTINGS } from './settings-set.js'

export const settingsGet = command<DeskFlags>({
  name: 'settings get',
  summary: 'print one of the settings of administrators',
  argument: ['<setting>', 'its name', SETTINGS],
  options: DESK_OPTIONS,
  examples: [['the bare value', 'mayfly settings get read_only']],
  async run({ io, flags, words }) {
    const { getSetting } = await import('../people/settings.js')
    await getSetting(words[0] as string, flags, io)
  },
})
