import { INSTANCE_OPTIONS } from '../../instance/instance-options.js'
import { ACCOUNT_PASSWORD_OPTIONS } from '../account-options.js'
import { command } from '../command.js'
import type { UserPasswdFlags } from './manage-users.js'

export const userPasswd = command<UserPasswdFlags>({
  name: 'user passwd',
  summary: "change a user's password, end the user's sessions and delete the user's API tokens",
  argument: ['<name>', 'user name'],
  options: [...ACCOUNT_PASSWORD_OPTIONS, ...INSTANCE_OPTIONS],
  examples: [
    ['generate a new password and print it once', 'mayfly user passwd anna'],
    ['print a one-time link with the new password', 'mayfly user passwd anna --send-link'],
  ],
  async run({ io, flags, args }) {
    const { setPassword } = await import('./manage-users.js')
    await setPassword(args, flags, io)
  },
})
