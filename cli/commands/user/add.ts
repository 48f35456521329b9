import { ADMIN_OPTIONS } from '../../instance/with-administration.js'
import { ACCOUNT_PASSWORD_OPTIONS } from '../account-options.js'
import { command } from '../command.js'
import type { UserAddFlags } from './add-users.js'

export const userAdd = command<UserAddFlags>({
  name: 'user add',
  summary: 'create a user and print the generated password, once',
  argument: ['[name...]', 'user name: 4 to 20 characters of a-z, 0-9, _ and -'],
  options: [
    ['--email <address>', 'e-mail address of the user'],
    ['--role <role>', 'role: user or admin (default: user)', undefined, ['user', 'admin']],
    ...ACCOUNT_PASSWORD_OPTIONS,
    ['--if-missing', 'succeed if the user exists already'],
    [
      '--from <file>',
      'add several users: a file with lines of username,email,role, or - for stdin; prints a JSON document per line',
    ],
    ...ADMIN_OPTIONS,
  ],
  examples: [
    ['the first administrator', 'mayfly user add admin --role admin --email you@example.org'],
    [
      'send each user a one-time link with the credentials',
      'mayfly user add --from team.csv --send-link > links.ndjson',
    ],
    ['in a script that runs repeatedly', 'mayfly user add robot --email robot@example.org --if-missing'],
  ],
  async run({ io, flags, args }) {
    const { addUsers } = await import('./add-users.js')
    await addUsers(args, flags, io)
  },
})
