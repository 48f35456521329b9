import type { ServerFlags } from '../../client/connect.js'
import { command } from '../command.js'

export const whoami = command<ServerFlags>({
  name: 'whoami',
  summary: 'print the signed-in user and how much of the upload quota is used',
  options: [['-s, --server <url>', 'server to use (default: MAYFLY_SERVER, or `server` in the config file)']],
  examples: [['sign in if needed: exit code 4 means not signed in', 'mayfly whoami || [ $? -ne 4 ] || mayfly login']],
  async run({ io, flags }) {
    const { whoAmI } = await import('./manage-session.js')
    await whoAmI(flags, io)
  },
})
