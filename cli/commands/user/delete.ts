import { INSTANCE_OPTIONS } from '../../instance/instance-options.js'
import { command } from '../command.js'
import type { UserDeleteFlags } from './manage-users.js'

export const userDelete = command<UserDeleteFlags>({
  name: 'user delete',
  summary: 'delete an account with its secrets and their files',
  argument: ['<name>', 'the user name'],
  options: [['--confirm <name>', 'the name once more, where nobody can be asked'], ...INSTANCE_OPTIONS],
  examples: [['in a script', 'mayfly user delete anna --confirm anna']],
  async run({ io, flags, args }) {
    const { deleteUser } = await import('./manage-users.js')
    await deleteUser(args, flags, io)
  },
})
