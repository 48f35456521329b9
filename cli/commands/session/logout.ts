import type { ServerFlags } from '../../client/connect.js'
import { command } from '../command.js'

export const logout = command<ServerFlags>({
  name: 'logout',
  summary: 'forget the token that `login` kept, and revoke it',
  options: [['-s, --server <url>', 'of which server (default: MAYFLY_SERVER, or `server` in the config file)']],
  examples: [['of one server', 'mayfly logout --server https://secrets.example.org']],
  async run({ io, flags }) {
    const { logOut } = await import('./manage-session.js')
    await logOut(flags, io)
  },
})
