import { INSTANCE_OPTIONS } from '../../instance/instance-options.js'
import { type Command, command, type Option } from '../command.js'
import { HEADER_OPTION, PAGE_OPTIONS } from '../shared-options.js'
import type { EventsFlags, ListEventsFlags } from './manage-events.js'

/** Options that select events. */
const FILTER_OPTIONS: Option[] = [
  ['--subscriber <name>', 'only events for this subscriber, such as webhook.default'],
  ['--state <state>', 'only events in this state', undefined, ['pending', 'delivered', 'skipped', 'dead']],
  ['--older-than <duration>', 'only events created before that, such as 7d'],
]

const eventsList = command<ListEventsFlags>({
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
  run: async ({ io, flags }) => (await import('./manage-events.js')).listEvents(flags, io),
})

const eventsPing = command<EventsFlags>({
  name: 'events ping',
  summary: 'send a test event to a subscriber and print the result',
  argument: ['[subscriber]', 'name of the subscriber, such as webhook.default'],
  options: [...INSTANCE_OPTIONS],
  examples: [['is the webhook reachable?', 'mayfly events ping webhook.default']],
  run: async ({ io, flags, args }) => (await import('./manage-events.js')).pingSubscriber(args[0], flags, io),
})

const eventsRedeliver = command<EventsFlags>({
  name: 'events redeliver',
  summary: 'deliver an event again; without an id, all events that were given up',
  argument: ['[id]', 'id of the event'],
  options: [...FILTER_OPTIONS, ...INSTANCE_OPTIONS],
  examples: [
    ['after the receiver works again', 'mayfly events redeliver --subscriber webhook.default'],
    ['do not wait for the next attempt', 'mayfly events redeliver --state pending'],
  ],
  run: async ({ io, flags, args }) => (await import('./manage-events.js')).redeliverEvents(args[0], flags, io),
})

const eventsPurge = command<EventsFlags>({
  name: 'events purge',
  summary: 'delete events, including undelivered ones',
  options: [...FILTER_OPTIONS, ...INSTANCE_OPTIONS],
  examples: [
    ['events that were given up', 'mayfly events purge --state dead'],
    ['all events for a webhook that was removed', 'mayfly events purge --subscriber webhook.old'],
  ],
  run: async ({ io, flags }) => (await import('./manage-events.js')).purgeEvents(flags, io),
})

export const eventsCommands: Command[] = [eventsList, eventsPing, eventsRedeliver, eventsPurge]
