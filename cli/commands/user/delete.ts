import { ADMIN_OPTIONS } from '../../instance/with-administration.js'
import { command } from '../command.js'
import type { UserDeleteFlags } from './manage-users.js'

export const userDelete = command<UserDeleteFlags>({
  name: 'user delete',
  summary: 'delete a user with all secrets and files',
  argument: ['<name>', 'user name'],
  options: [['--confirm <name>', 'repeat the user name, where no prompt is possible'], ...ADMIN_OPTIONS],
  examples: [['in a script', 'mayfly user delete anna --confirm anna']],
  async run({ io, flags, args }) {
    const { deleteUser } = await import('./manage-users.js')
    await deleteUser(args, flags, io)
  },
})
