/** Background work of a process. */
import type { App } from '../app.js'
import type { Cleanup } from '../cleanup/scheduler.js'
import type { Delivery } from '../events/delivery.js'
import type { DeliveryPace } from '../events/delivery-pace.js'
import type { Emitter } from '../events/emit.js'
import type { EventLimit } from '../events/event-limit.js'
import type { CloseStep } from '../lib/close-steps.js'
import type { Stats } from '../stats/create-stats.js'
import type { Health } from './health.js'

export interface Background {
  cleanup: Cleanup
  stats: Stats
  /** Delivers durable events. */
  delivery: Delivery
  eventLimit: EventLimit
  /** Whether this process is too busy to deliver events. */
  pace: DeliveryPace
  /** Whether this process and its stores are ready for requests. */
  health: Health
}

/** Stops the work of an app, in this order. */
export function listBackgroundSteps({ audit, webhooks, background }: App, emitter: Emitter): CloseStep[] {
  const { cleanup, stats, delivery, eventLimit } = background
  return [
    { name: 'cleanup', close: cleanup.stop },
    { name: 'audit log', close: audit.stop },
    { name: 'statistics', close: stats.stop },
    { name: 'event listeners', close: emitter.stop },
    { name: 'event delivery', close: delivery.stop },
    { name: 'webhooks of users', close: webhooks.stop },
    { name: 'event limit', close: eventLimit.stop },
  ]
}
