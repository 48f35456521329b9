import { INSTANCE_OPTIONS } from '../../instance/instance-options.js'
import { command } from '../command.js'
import { HEADER_OPTION, PAGE_OPTIONS } from '../list-options.js'
import { FILTER_OPTIONS } from './event-options.js'
import type { ListEventsFlags } from './manage-events.js'

export const eventsList = command<ListEventsFlags>({
  name: 'events list',
  summary: 'list the events for subscribers, such as webhooks, and their deliveries, newest first',
  options: [...FILTER_OPTIONS, ...PAGE_OPTIONS, HEADER_OPTION, ...INSTANCE_OPTIONS],
  examples: [
    ['events that were given up', 'mayfly events list --state dead'],
    [
      'events that wait for one webhook, as JSON',
      'mayfly events list --subscriber webhook.default --state pending --json',
    ],
  ],
  async run({ io, flags }) {
    const { listEvents } = await import('./manage-events.js')
    await listEvents(flags, io)
  },
})
