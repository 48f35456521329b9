import { command } from '../command.js'
import type { DeskFlags } from '../people/desk.js'
import { DESK_OPTIONS } from '../people/options.js'

export interface UserDeleteFlags extends DeskFlags {
  confirm?: string
}

export const userDelete = command<UserDeleteFlags>({
  name: 'user delete',
  summary: 'delete an account with its secrets and their files',
  argument: ['<name>', 'the user name'],
  options: [['--confirm <name>', 'the name once more, where nobody can be asked'], ...DESK_OPTIONS],
  examples: [['in a script', 'mayfly user delete anna --confirm anna']],
  async run({ io, flags, words }) {
    const { deleteAccount } = await import('../people/users.js')
    await deleteAccount(words, flags, io)
  },
})
