import type { ServerFlags } from '../../client/connect.js'
import { command } from '../command.js'

export const whoami = command<ServerFlags>({
  name: 'whoami',
  summary: 'print as whom the server knows you',
  options: [['-s, --server <url>', 'which server (default: MAYFLY_SERVER, or `server` in the config file)']],
  examples: [['4 is nobody', 'mayfly whoami || [ $? -ne 4 ] || mayfly login']],
  async run({ io, flags }) {
    const { whoAmI } = await import('./manage-session.js')
    await whoAmI(flags, io)
  },
})
