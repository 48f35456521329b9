import { command } from '../command.js'
import type { WaitFlags } from './wait-for-secret.js'

export const secretWait = command<WaitFlags>({
  name: 'secret wait',
  summary: 'wait until a secret is gone: opened for the last time, burned or expired',
  argument: ['[link]', 'its link, or - to read that from stdin; asked for on a terminal'],
  options: [
    ['--key-file <file>', 'the key, if it was sent apart from the link'],
    ['--for <duration>', 'wait no longer than this: still there then is exit code 6'],
  ],
  examples: [
    ['go on when a colleague has opened it', 'mayfly secret wait "$LINK" --for 1h'],
    ['the same with the link from a pipe', 'mayfly secret wait - <<< "$LINK"'],
  ],
  async run({ io, flags, args }) {
    const { waitForSecret } = await import('./wait-for-secret.js')
    await waitForSecret(args[0], flags, io)
  },
})
