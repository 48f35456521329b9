import { INSTANCE_OPTIONS } from '../../instance/instance-options.js'
import { command } from '../command.js'
import type { EventsFlags } from './manage-events.js'

export const eventsPing = command<EventsFlags>({
  name: 'events ping',
  summary: 'send a test event to a subscriber and print the result',
  argument: ['[subscriber]', 'name of the subscriber, such as webhook.default'],
  options: [...INSTANCE_OPTIONS],
  examples: [['is the webhook reachable?', 'mayfly events ping webhook.default']],
  async run({ io, flags, args }) {
    const { pingSubscriber } = await import('./manage-events.js')
    await pingSubscriber(args[0], flags, io)
  },
})
