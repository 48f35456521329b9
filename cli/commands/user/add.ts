import { INSTANCE_OPTIONS } from '../../instance/instance-options.js'
import { ACCOUNT_PASSWORD_OPTIONS } from '../account-options.js'
import { command } from '../command.js'
import type { UserAddFlags } from './add-users.js'

export const userAdd = command<UserAddFlags>({
  name: 'user add',
  summary: 'make an account and print its password, once',
  argument: ['[name...]', 'the user name: 4 to 20 of a-z, 0-9, _ and -'],
  options: [
    ['--email <address>', 'their e-mail address'],
    ['--role <role>', 'user or admin (default: user)', undefined, ['user', 'admin']],
    ...ACCOUNT_PASSWORD_OPTIONS,
    ['--if-missing', 'do nothing when they are there already'],
    ['--from <file>', 'several: a file of lines username,email,role, or - for stdin; one JSON document each'],
    ...INSTANCE_OPTIONS,
  ],
  examples: [
    ['the first administrator', 'mayfly user add admin --role admin --email you@example.org'],
    ['everyone gets a link with their credentials', 'mayfly user add --from team.csv --send-link > links.ndjson'],
    ['in a script that runs again and again', 'mayfly user add robot --email robot@example.org --if-missing'],
  ],
  async run({ io, flags, args }) {
    const { addUsers } = await import('./add-users.js')
    await addUsers(args, flags, io)
  },
})
