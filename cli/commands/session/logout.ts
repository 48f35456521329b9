import type { ServerFlags } from '../../client/connect.js'
import { command } from '../command.js'

export const logout = command<ServerFlags>({
  name: 'logout',
  summary: 'revoke the token stored by `login` and remove it',
  options: [['-s, --server <url>', 'server to use (default: MAYFLY_SERVER, or `server` in the config file)']],
  examples: [['sign out of one server', 'mayfly logout --server https://secrets.example.org']],
  async run({ io, flags }) {
    const { logOut } = await import('./manage-session.js')
    await logOut(flags, io)
  },
})
