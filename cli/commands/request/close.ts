import { command } from '../command.js'
import type { RequestCloseFlags } from './close-request.js'

export const requestClose = command<RequestCloseFlags>({
  name: 'request close',
  summary: 'close a request and burn its unopened submissions',
  argument: ['[link]', 'collect link, or the id of one of your requests, or - to read it from stdin (default: prompt)'],
  options: [['-s, --server <url>', 'server of the request, if you pass an id']],
  examples: [
    ['with the collect link', 'mayfly request close - < collect.link'],
    ['one of your own requests', 'mayfly request close "$ID" --yes'],
  ],
  async run({ io, flags, args }) {
    const { closeRequest } = await import('./close-request.js')
    await closeRequest(args[0], flags, io)
  },
})
