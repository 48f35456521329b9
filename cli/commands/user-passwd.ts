import { command } from '../command.js'
import type { DeskFlags } from '../people/desk.js'
import type { AccountPasswordFlags } from '../people/input.js'
import { ACCOUNT_PASSWORD_OPTIONS, DESK_OPTIONS } from '../people/options.js'

export interface UserPasswdFlags extends DeskFlags, AccountPasswordFlags {
  mustChange: boolean
  sendLink?: true
  ttl: string
}

export const userPasswd = command<UserPasswdFlags>({
  name: 'user passwd',
  summary: 'give somebody another password; it signs them out',
  argument: ['<name>', 'the user name'],
  options: [...ACCOUNT_PASSWORD_OPTIONS, ...DESK_OPTIONS],
  examples: [
    ['they forgot it: a new one, printed once', 'mayfly user passwd anna'],
    ['the same as a link to send', 'mayfly user passwd anna --send-link'],
  ],
  async run({ io, flags, words }) {
    const { setPassword } = await import('../people/users.js')
    await setPassword(words, flags, io)
  },
})
