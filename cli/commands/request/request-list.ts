import { command } from '../command.js'
import { HEADER_OPTION, PAGE_OPTIONS } from '../list-options.js'
import type { RequestListFlags } from './list-requests.js'

export const requestList = command<RequestListFlags>({
  name: 'request list',
  summary: 'list your open requests, newest first',
  options: [
    ['-s, --server <url>', 'server to use (default: MAYFLY_SERVER, or `server` in the config file)'],
    ...PAGE_OPTIONS,
    HEADER_OPTION,
  ],
  examples: [['close all of them', 'mayfly request list | cut -f1 | xargs -n1 mayfly request close --yes']],
  async run({ io, flags }) {
    const { listOwnRequests } = await import('./list-requests.js')
    await listOwnRequests(flags, io)
  },
})
