/**
 * Transactional outbox: an event is stored in the transaction of the change that it describes, once for each
 * subscriber, and delivered later. Without a subscriber nothing is stored.
 */

import type { EpochMs } from '../shared/epoch-ms.js'
import type { FactData, FactNameFor } from '../shared/event-catalog.js'
import type { Page } from './page.js'

/** The changed credential, sign-in method or state of an account. */
export type SecurityChange = FactData<'user.security_changed'>['change']

/**
 * Durable events. They contain ids, times, kinds and counts: never a text, a key, a password or an address. Times are
 * epoch ms. `event-catalog.ts` describes each.
 */
export type DurableEvents = { [Name in FactNameFor<'operator'>]: FactData<Name> } & {
  /** Sent by `mayfly events ping`. */
  ping: Record<string, never>
}

export type DurableEventType = keyof DurableEvents

/** An event for one subscriber. */
export interface OutboxEvent {
  /** Unique. Ids of one process sort by time. The same for each attempt to deliver the event. */
  id: string
  /** Name of the subscriber. Up to 64 characters. */
  subscriber: string
  /**
   * Subject of the event, such as `secret:ID` or `subscriber:NAME`. Events of one subject are delivered in order. Up to
   * 128 characters.
   */
  subject: string
  type: DurableEventType
  /** JSON of `DurableEvents[type]`. */
  data: string
  createdAt: number
  /** True: too many events wait for the subscriber. It is stored as dead, with the result `QUEUE_FULL`. */
  isQueueFull?: boolean
}

/** Result of an event that was given up because too many were waiting. `redeliver` makes it wait again. */
export const QUEUE_FULL = 'queue full'

/**
 * `pending`: not delivered yet. `skipped`: without a recipient at the subscriber. `dead`: given up after the last
 * attempt.
 */
export type DeliveryState = 'pending' | 'delivered' | 'skipped' | 'dead'

/** The state of a delivery after an attempt. */
export interface DeliveryUpdate {
  id: string
  state: DeliveryState
  /** Number of attempts so far. */
  attempts: number
  /** Time of the next attempt, while it is pending. */
  nextAt: number
  /** When it was delivered, skipped or given up; null while it is pending. */
  endedAt: number | null
  /** Result of the last attempt, such as `HTTP 503`; null before the first one. Up to 255 characters. */
  result: string | null
  /** New data of the event; null: the event is deleted. Absent: the data stays. */
  data?: string | null
}

export type OutboxEntry = Omit<OutboxEvent, 'isQueueFull'> & Omit<DeliveryUpdate, 'data'>

/** Every given field has to match. */
export interface OutboxFilter {
  id?: string
  subscriber?: string
  state?: DeliveryState
  type?: DurableEventType
  result?: string
  /** Created before this time. */
  before?: EpochMs
}

/** Times are epoch ms and always passed in. */
export interface OutboxStore {
  /** Stores events without another change, all or none. */
  append(events: OutboxEvent[]): Promise<void>
  /**
   * Up to `limit` pending events of a subscriber whose time has come, the oldest first: of each subject only its oldest
   * pending event, so that no event overtakes another one. Events are in the order of their commits if their changes
   * exclude each other, as all changes of one secret do.
   */
  listDue(subscriber: string, now: number, limit: number): Promise<OutboxEntry[]>
  /** Stores the results of attempts in one transaction. Events that are not pending any more stay as they are. */
  recordAttempts(updates: DeliveryUpdate[]): Promise<void>
  /** Number of pending events of a subscriber, counted up to `max`. */
  countPending(subscriber: string, max: number): Promise<number>
  /** Newest first. */
  list(filter: OutboxFilter, page: Page): Promise<OutboxEntry[]>
  /** Makes matching events pending and due at `now`, without attempts. Returns their number. */
  redeliver(filter: OutboxFilter, now: number): Promise<number>
  /** Deletes up to `limit` matching events, and returns their number. */
  purge(filter: OutboxFilter, limit: number): Promise<number>
}

/** The events that wait for a subscriber, as one process knows them. */
export interface EventQueueState {
  subscriber: string
  /** Pending events at the last count, up to the limit. Up to 30 s old. */
  waiting: number
  /** Events that found the queue full since this process was started. */
  dropped: number
}

/** A durable event as a subscriber receives it. */
export type DurableEvent = {
  [Type in DurableEventType]: {
    /** The same for each attempt. A subscriber that stores the ids it has seen can ignore repeated events. */
    id: string
    type: Type
    at: EpochMs
    data: DurableEvents[Type]
  }
}[DurableEventType]

export interface DeliveryOutcome {
  /** False: tried again later. */
  isDelivered: boolean
  /** For the delivery log, such as `HTTP 503`. Contains no data of users. */
  result: string
  /** True: another attempt would fail as well, so the event is dead at once. */
  isPermanent?: boolean
  /**
   * True, with `isDelivered`: there is no recipient, such as a user without a verified address. The event is
   * `skipped`.
   */
  isSkipped?: boolean
}
