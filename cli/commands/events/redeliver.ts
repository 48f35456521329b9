import { INSTANCE_OPTIONS } from '../../instance/instance-options.js'
import { command } from '../command.js'
import { FILTER_OPTIONS } from './event-options.js'
import type { EventsFlags } from './manage-events.js'

export const eventsRedeliver = command<EventsFlags>({
  name: 'events redeliver',
  summary: 'deliver an event again; without an id those that were given up',
  argument: ['[id]', 'id of the event'],
  options: [...FILTER_OPTIONS, ...INSTANCE_OPTIONS],
  examples: [
    ['after the receiver works again', 'mayfly events redeliver --subscriber webhook.default'],
    ['do not wait for the next attempt', 'mayfly events redeliver --state pending'],
  ],
  async run({ io, flags, args }) {
    const { redeliverEvents } = await import('./manage-events.js')
    await redeliverEvents(args[0], flags, io)
  },
})
