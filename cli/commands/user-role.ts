import { command } from '../command.js'
import type { DeskFlags } from '../people/desk.js'
import { DESK_OPTIONS } from '../people/options.js'

export const userRole = command<DeskFlags>({
  name: 'user role',
  summary: 'make somebody a user or an administrator; it signs them out',
  argument: ['<name-and-role...>', 'the user name, and user or admin'],
  options: DESK_OPTIONS,
  examples: [['one more administrator', 'mayfly user role anna admin']],
  async run({ io, flags, words }) {
    const { setRole } = await import('../people/users.js')
    await setRole(words, flags, io)
  },
})
