import { ADMIN_OPTIONS, type AdminFlags } from '../../instance/with-administration.js'
import { command } from '../command.js'

export const userRole = command<AdminFlags>({
  name: 'user role',
  summary: "change a user's role and end the user's sessions",
  argument: ['<name-and-role...>', 'user name, and user or admin', ['user', 'admin']],
  options: ADMIN_OPTIONS,
  examples: [['make a user an administrator', 'mayfly user role anna admin']],
  async run({ io, flags, args }) {
    const { setRole } = await import('./manage-users.js')
    await setRole(args, flags, io)
  },
})
