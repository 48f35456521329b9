import { command } from '../command.js'
import type { BurnFlags } from './burn-secret.js'

export const secretBurn = command<BurnFlags>({
  name: 'secret burn',
  summary: 'destroy a secret before it is opened',
  argument: ['[link]', 'link or id, or - to read it from stdin (default: prompt)'],
  options: [
    ['--burn-token-file <file>', 'burn token from `secret create --json`, if you have no link with a key'],
    ['-s, --server <url>', 'server of the secret, if you pass an id'],
  ],
  examples: [
    ['with the link', 'mayfly secret burn - <<< "$LINK"'],
    ['with the burn token, without the key', 'mayfly secret burn ID --burn-token-file token'],
  ],
  async run({ io, flags, args }) {
    const { burnSecret } = await import('./burn-secret.js')
    await burnSecret(args[0], flags, io)
  },
})
