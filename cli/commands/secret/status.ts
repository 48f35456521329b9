import { command } from '../command.js'

export const secretStatus = command({
  name: 'secret status',
  summary: 'show a receipt of `secret create --receipt`: whether the secret was opened, burned or expired',
  argument: ['[receipt]', 'receipt link, or - to read it from stdin (default: prompt)'],
  examples: [
    ['whether it was opened', 'mayfly secret status "$RECEIPT"'],
    ['the state in a script', 'mayfly secret status - --json < receipt.link | jq -r .state'],
  ],
  async run({ io, flags, args }) {
    const { showReceipt } = await import('./show-receipt.js')
    await showReceipt(args[0], flags, io)
  },
})
