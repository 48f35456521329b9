import { command } from '../command.js'
import type { UpdateFlags } from './update-secret.js'

export const secretUpdate = command<UpdateFlags>({
  name: 'secret update',
  summary: 'lower limits of a secret that was not opened yet, or label it',
  argument: ['[link]', 'link or id, or - to read it from stdin (default: prompt)'],
  options: [
    ['--views <count>', 'new number of times it can be opened, at most the present one'],
    ['--ttl <duration>', 'new time to live from now, at most the present one'],
    ['--allow-ip <address>', 'IP address or CIDR range, inside the present one'],
    ['--label <name>', 'name for `secret list`; stored on this machine only'],
    ['--burn-token-file <file>', 'burn token from `secret create --json`, if you are not signed in as its creator'],
    ['-s, --server <url>', 'server of the secret, if you pass an id'],
  ],
  examples: [
    ['let it expire in ten minutes', 'mayfly secret update ID --ttl 10m'],
    ['give it a name in `secret list`', "mayfly secret update ID --label 'router of the branch office'"],
  ],
  async run({ io, flags, args }) {
    const { updateSecret } = await import('./update-secret.js')
    await updateSecret(args[0], flags, io)
  },
})
