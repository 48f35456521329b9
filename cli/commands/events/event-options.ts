/** Options that select events. */
import type { Option } from '../command.js'

export const FILTER_OPTIONS: Option[] = [
  ['--subscriber <name>', 'only events for this subscriber, such as webhook.default'],
  ['--state <state>', 'only events in this state', undefined, ['pending', 'delivered', 'skipped', 'dead']],
  ['--older-than <duration>', 'only events created before that, such as 7d'],
]
