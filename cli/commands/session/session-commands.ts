import type { ServerFlags } from '../../client/connect.js'
import { type Command, command } from '../command.js'
import { SERVER_OPTION } from '../shared-options.js'
import type { LoginFlags } from './manage-session.js'

const login = command<LoginFlags>({
  name: 'login',
  summary: 'sign in to a server and store a token for it on this machine',
  argument: ['[server]', 'URL of the server, such as https://secrets.example.org'],
  options: [
    ['-s, --server <url>', 'same as the argument (default: MAYFLY_SERVER, or `server` in the config file)'],
    ['--no-browser', 'print the address of the page on which you approve the sign-in, and do not open it'],
    ['--token-stdin', 'read an API token from stdin, such as one from the account page'],
  ],
  examples: [
    ['approve the sign-in in a browser, also on another device', 'mayfly login https://secrets.example.org'],
    ['with a token from the account page', 'mayfly login https://secrets.example.org --token-stdin < token'],
  ],
  run: async ({ io, flags, args }) => (await import('./manage-session.js')).logIn(args, flags, io),
})

const logout = command<ServerFlags>({
  name: 'logout',
  summary: 'revoke the token stored by `login` and remove it',
  options: [SERVER_OPTION],
  examples: [['sign out of one server', 'mayfly logout --server https://secrets.example.org']],
  run: async ({ io, flags }) => (await import('./manage-session.js')).logOut(flags, io),
})

const whoami = command<ServerFlags>({
  name: 'whoami',
  summary: 'print the signed-in user, the defaults for new secrets, and how much of the upload quota is used',
  options: [SERVER_OPTION],
  examples: [['sign in if needed: exit code 4 means not signed in', 'mayfly whoami || [ $? -ne 4 ] || mayfly login']],
  run: async ({ io, flags }) => (await import('./manage-session.js')).whoAmI(flags, io),
})

export const sessionCommands: Command[] = [login, logout, whoami]
