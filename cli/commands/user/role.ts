import { INSTANCE_OPTIONS, type InstanceFlags } from '../../instance/instance-options.js'
import { command } from '../command.js'

export const userRole = command<InstanceFlags>({
  name: 'user role',
  summary: 'make somebody a user or an administrator; it signs them out',
  argument: ['<name-and-role...>', 'the user name, and user or admin'],
  options: INSTANCE_OPTIONS,
  examples: [['one more administrator', 'mayfly user role anna admin']],
  async run({ io, flags, args }) {
    const { setRole } = await import('./manage-users.js')
    await setRole(args, flags, io)
  },
})
