import { command } from '../command.js'

export const requestShow = command({
  name: 'request show',
  summary: 'show a request: what it asks for, or with the collect link its submissions; opens nothing',
  argument: ['[link]', 'request link or collect link, or - to read it from stdin (default: prompt)'],
  examples: [
    ['before you submit something', 'mayfly request show "$LINK"'],
    ['whether submissions have arrived', 'mayfly request show - --json < collect.link'],
  ],
  async run({ io, flags, args }) {
    const { showRequest } = await import('./show-request.js')
    await showRequest(args[0], flags, io)
  },
})
