import { command } from '../command.js'
import type { LoginFlags } from './manage-session.js'

export const login = command<LoginFlags>({
  name: 'login',
  summary: 'sign in to a server, and keep a token for it on this machine',
  argument: ['[server]', 'its address, such as https://secrets.example.org'],
  options: [
    ['-s, --server <url>', 'the same (default: MAYFLY_SERVER, or `server` in the config file)'],
    ['--username <name>', 'who signs in; asked for on a terminal'],
    ['--password-file <file>', 'their password, from a file; asked for on a terminal'],
    ['--password-fd <number>', 'the same, from a file descriptor'],
    ['--token-stdin', 'take an API token from stdin, such as one of the account page'],
  ],
  examples: [
    ['asks for name and password', 'mayfly login https://secrets.example.org'],
    ['with a token of the account page', 'mayfly login https://secrets.example.org --token-stdin < token'],
  ],
  async run({ io, flags, args }) {
    const { logIn } = await import('./manage-session.js')
    await logIn(args, flags, io)
  },
})
