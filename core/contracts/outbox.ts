/**
 * Transactional outbox: an event is stored in the transaction of the change that it describes, once for each subscriber, and
 * delivered later. Without a subscriber nothing is stored.
 */
import type { Page } from './page.js'

/** What the events of a secret have, so that its owner can be told. `notify`: the owner asked for it. */
interface OwnedSecret {
  secretId: string
  ownerId: string | null
  notify: boolean
  createdAt: number
}

/** Durable events. They contain ids, times, kinds and counts: never a text, a key, a password or an address. Times are epoch ms. */
export interface DurableEvents {
  /** `maxViews`: null for unlimited. */
  'secret.created': {
    secretId: string
    ownerId: string | null
    kind: 'sealed' | 'raw' | 'public'
    expiresAt: number
    maxViews: number | null
    files: number
    hasPassword: boolean
    hasAllowedIp: boolean
    notify: boolean
  }
  /** `views`: so far, including this one. `viewsLeft`: null for unlimited. */
  'secret.viewed': OwnedSecret & { views: number; viewsLeft: number | null }
  'secret.burned': OwnedSecret & { reason: 'last-view' | 'request'; views: number }
  /** Its lifetime ended before its views did. `views`: 0 if it was never opened. */
  'secret.expired': OwnedSecret & { views: number }
  /** `attemptsLeft`: before the secret is locked; null for a public secret, which is never locked. */
  'secret.password_wrong': { secretId: string; ownerId: string | null; attemptsLeft: number | null }
  'secret.locked': OwnedSecret & { lockedUntil: number }
  /** A caller with the complete link had an address that the secret does not allow. */
  'secret.address_refused': { secretId: string; ownerId: string | null }
  /** `notify`: the owner asked to be told about submissions. */
  'request.created': {
    requestId: string
    ownerId: string | null
    expiresAt: number
    maxSubmissions: number
    notify: boolean
  }
  /** `secretId`: of the submission. `submissions`: so far, including this one. `files`: their number. */
  'request.submitted': {
    requestId: string
    ownerId: string | null
    secretId: string
    submissions: number
    submissionsLeft: number
    files: number
    notify: boolean
  }
  /** The request has all its submissions. */
  'request.fulfilled': { requestId: string; ownerId: string | null; submissions: number; notify: boolean }
  /** Its lifetime ended before it had all its submissions. `submissions`: 0 without any submission. */
  'request.expired': {
    requestId: string
    ownerId: string | null
    submissions: number
    submissionsLeft: number
    notify: boolean
  }
  /** By its creator, before it expired. `burned`: number of unopened submissions that were burned. */
  'request.closed': { requestId: string; ownerId: string | null; burned: number; notify: boolean }
  /** `provider`: the auth provider, or `local` for a password. */
  'user.created': { userId: string; provider: string }
  'user.deleted': { userId: string }
  /** `language`: of the request that asked; null: unknown. */
  'user.reset_requested': { userId: string; language: string | null }
  /** `language`: of the request that caused it; null: unknown. */
  'user.verification_requested': { userId: string; language: string | null }
  /**
   * A sign-in without the cookie of a known device, of a user who wants to be told; up to one in ten minutes. `network`: of the
   * client, as CIDR; null: unknown. `program`: such as `Firefox`; empty: unknown. `language`: of the request; null: unknown.
   */
  'user.new_device': { userId: string; network: string | null; program: string; language: string | null }
  'token.created': { tokenId: string; userId: string; expiresAt: number }
  'token.deleted': { tokenId: string; userId: string }
  /** Sent by `mayfly events ping`. */
  ping: Record<string, never>
  /** Too many events waited for this subscriber, so others were not stored. Each subscriber receives it, whatever its `types` are. */
  'events.dropped': DroppedEvents
}

/** Events that were not stored. Counts, times and kinds only. */
export interface DroppedEvents {
  /** 0: the limit was reached, and no dropped event was counted. */
  count: number
  /** When the limit was reached, epoch ms. */
  firstAt: number
  /** When the last of them happened, epoch ms. */
  lastAt: number
  /** Their number by type. */
  types: Partial<Record<DurableEventType, number>>
}

export type DurableEventType = keyof DurableEvents

/** An event for one subscriber. */
export interface OutboxEvent {
  /** Unique. Ids of one process sort by time. The same for each attempt to deliver the event. */
  id: string
  /** Name of the subscriber. Up to 64 characters. */
  subscriber: string
  /** What the event is about, such as `secret:ID` or `subscriber:NAME`. Events of one subject are delivered in order. Up to 128 characters. */
  subject: string
  type: DurableEventType
  /** JSON of `DurableEvents[type]`. */
  data: string
  createdAt: number
}

/** `pending`: not delivered yet. `dead`: given up after the last attempt. */
export type DeliveryState = 'pending' | 'delivered' | 'dead'

/** The state of a delivery after an attempt. */
export interface DeliveryUpdate {
  id: string
  state: DeliveryState
  /** Number of attempts so far. */
  attempts: number
  /** Time of the next attempt, while it is pending. */
  nextAt: number
  /** When it was delivered or given up; null while it is pending. */
  endedAt: number | null
  /** Result of the last attempt, such as `HTTP 503`; null before the first one. Up to 255 characters. */
  result: string | null
}

/** `counting`: a summary of dropped events that still grows. It is delivered after the events that waited before it. */
export type OutboxState = DeliveryState | 'counting'

export type OutboxEntry = OutboxEvent & Omit<DeliveryUpdate, 'state'> & { state: OutboxState }

/** Every given field has to match. */
export interface OutboxFilter {
  id?: string
  subscriber?: string
  state?: OutboxState
  /** Created before this time, epoch ms. */
  before?: number
}

/** Times are epoch ms and always passed in. */
export interface OutboxStore {
  /** Stores events that belong to no other change, all or none. */
  append(events: OutboxEvent[]): Promise<void>
  /**
   * Up to `limit` pending events of a subscriber whose time has come, the oldest first: of each subject only its oldest pending
   * event, so that no event overtakes another one. Events are in the order of their commits if their changes exclude each
   * other, as all changes of one secret do.
   */
  listDue(subscriber: string, now: number, limit: number): Promise<OutboxEntry[]>
  /** Stores the results of attempts in one transaction. Events that are not pending any more stay as they are. */
  recordAttempts(updates: DeliveryUpdate[]): Promise<void>
  /** Newest first. */
  list(filter: OutboxFilter, page: Page): Promise<OutboxEntry[]>
  /** Makes matching events pending and due at `now`, without attempts, except those that are `counting`. Returns their number. */
  redeliver(filter: OutboxFilter, now: number): Promise<number>
  /** Deletes up to `limit` matching events, and returns their number. */
  purge(filter: OutboxFilter, limit: number): Promise<number>
}

/** What `DroppedEventStore.release` did. `counting`: the summary exists and has to wait. `none`: there is no summary. */
export type SummaryRelease = 'released' | 'counting' | 'none'

/** The events that wait for a subscriber, as one process knows them. */
export interface EventQueueState {
  subscriber: string
  /** Pending events at the last count, up to the limit. Up to 30 s old. */
  waiting: number
  /** Events that this process has dropped since its start. */
  dropped: number
}

/** The limit of waiting events: counts them, and keeps one summary of the dropped events of each subscriber in the outbox. */
export interface DroppedEventStore {
  /** Number of pending events of a subscriber, counted up to `max`. */
  countPending(subscriber: string, max: number): Promise<number>
  /**
   * Adds to the `counting` summary of a subscriber, an entry of type `events.dropped` and subject `subscriber:NAME`, and creates it if
   * there is none. Sums counts by type, and keeps the first and the last time. Safe in concurrent processes: nothing is lost.
   */
  add(subscriber: string, dropped: DroppedEvents): Promise<void>
  /**
   * Turns the summary of a subscriber into a pending event with this id, created and due at `now`. Not while its `lastAt` is later than
   * `quietSince`, or while an event that was created up to `lastAt` is pending. Of several callers, one gets `released`.
   */
  release(subscriber: string, id: string, now: number, quietSince: number): Promise<SummaryRelease>
}

/** A durable event as a subscriber receives it. */
export type DurableEvent = {
  [Type in DurableEventType]: {
    /** The same for each attempt. A subscriber that stores the ids it has seen can ignore repeated events. */
    id: string
    type: Type
    /** Epoch ms. */
    at: number
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
}

/** A receiver of durable events. Plugins return it in the hook `subscribers`. */
export interface Subscriber {
  /** Unique in the instance: lower-case words joined by "-" or ".", up to 64 characters. Keep it: waiting events have this name. */
  name: string
  /** Default: all types. `ping` and `events.dropped` are delivered in any case. */
  types?: DurableEventType[]
  /** Called before an event of these types is stored: false stores nothing. Fast, and without side effects. Default: all events. */
  accepts?(event: Pick<DurableEvent, 'type' | 'data'>): boolean
  /**
   * Delivers one event. Called at least once for each, by one process at a time, also for several subjects at once. An error, and
   * no result after 15 s, count as failed. `signal` is aborted then, and when the process stops.
   */
  deliver(event: DurableEvent, signal: AbortSignal): Promise<DeliveryOutcome>
}
