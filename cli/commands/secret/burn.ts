import { command } from '../command.js'
import type { BurnFlags } from './burn-secret.js'

export const secretBurn = command<BurnFlags>({
  name: 'secret burn',
  summary: 'destroy a secret, so that nobody can open it any more',
  argument: ['[link]', 'its link or its id, or - to read that from stdin; asked for on a terminal'],
  options: [
    ['--burn-token-file <file>', 'the burn token that `secret create --json` gave, if you have no link with a key'],
    ['-s, --server <url>', 'instance that keeps it, if you have only its id'],
  ],
  examples: [
    ['whoever has the link may burn it', 'mayfly secret burn - <<< "$LINK"'],
    ['its creator may, without the key', 'mayfly secret burn ID --burn-token-file token'],
  ],
  async run({ io, flags, args }) {
    const { burnSecret } = await import('./burn-secret.js')
    await burnSecret(args[0], flags, io)
  },
})
