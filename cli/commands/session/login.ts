import { command } from '../command.js'
import type { LoginFlags } from './manage-session.js'

export const login = command<LoginFlags>({
  name: 'login',
  summary: 'sign in to a server and store a token for it on this machine',
  argument: ['[server]', 'URL of the server, such as https://secrets.example.org'],
  options: [
    ['-s, --server <url>', 'same as the argument (default: MAYFLY_SERVER, or `server` in the config file)'],
    ['--username <name>', 'user name (default: prompt)'],
    ['--password-file <file>', 'read the password from a file (default: prompt)'],
    ['--password-fd <number>', 'read the password from a file descriptor'],
    ['--token-stdin', 'read an API token from stdin, such as one from the account page'],
  ],
  examples: [
    ['prompt for user name and password', 'mayfly login https://secrets.example.org'],
    ['with a token from the account page', 'mayfly login https://secrets.example.org --token-stdin < token'],
  ],
  async run({ io, flags, args }) {
    const { logIn } = await import('./manage-session.js')
    await logIn(args, flags, io)
  },
})
