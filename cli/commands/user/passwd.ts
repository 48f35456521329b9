import { INSTANCE_OPTIONS } from '../../instance/instance-options.js'
import { ACCOUNT_PASSWORD_OPTIONS } from '../account-options.js'
import { command } from '../command.js'
import type { UserPasswdFlags } from './manage-users.js'

export const userPasswd = command<UserPasswdFlags>({
  name: 'user passwd',
  summary: 'give somebody another password; it signs them out',
  argument: ['<name>', 'the user name'],
  options: [...ACCOUNT_PASSWORD_OPTIONS, ...INSTANCE_OPTIONS],
  examples: [
    ['they forgot it: a new one, printed once', 'mayfly user passwd anna'],
    ['the same as a link to send', 'mayfly user passwd anna --send-link'],
  ],
  async run({ io, flags, args }) {
    const { setPassword } = await import('./manage-users.js')
    await setPassword(args, flags, io)
  },
})
