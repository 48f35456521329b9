import { INSTANCE_OPTIONS } from '../../instance/instance-options.js'
import { command } from '../command.js'
import { FILTER_OPTIONS } from './event-options.js'
import type { EventsFlags } from './manage-events.js'

export const eventsPurge = command<EventsFlags>({
  name: 'events purge',
  summary: 'delete events, also those that are not delivered yet',
  options: [...FILTER_OPTIONS, ...INSTANCE_OPTIONS],
  examples: [
    ['events that were given up', 'mayfly events purge --state dead'],
    ['all events for a webhook that was removed', 'mayfly events purge --subscriber webhook.old'],
  ],
  async run({ io, flags }) {
    const { purgeEvents } = await import('./manage-events.js')
    await purgeEvents(flags, io)
  },
})
