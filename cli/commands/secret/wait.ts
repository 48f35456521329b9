import { command } from '../command.js'
import type { WaitFlags } from './wait-for-secret.js'

export const secretWait = command<WaitFlags>({
  name: 'secret wait',
  summary: 'wait until a secret is gone: opened for the last time, burned or expired',
  argument: ['[link]', 'link, or - to read it from stdin (default: prompt)'],
  options: [
    ['--key-file <file>', 'read the key from a file, if it was sent separately'],
    ['--for <duration>', 'give up after this long (exit code 6)'],
  ],
  examples: [
    ['continue when the recipient has opened it', 'mayfly secret wait "$LINK" --for 1h'],
    ['read the link from stdin', 'mayfly secret wait - <<< "$LINK"'],
    ['exit code 3: it was gone before', 'mayfly secret wait - <<< "$LINK" || [ $? -eq 3 ]'],
  ],
  async run({ io, flags, args }) {
    const { waitForSecret } = await import('./wait-for-secret.js')
    await waitForSecret(args[0], flags, io)
  },
})
