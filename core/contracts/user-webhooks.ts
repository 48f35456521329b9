/** Webhooks of single users: where the events of their own secrets and requests are sent. */
import type { FactNameFor } from '../shared/event-catalog.js'

/** Event types that a user can select. They are about the user's own secrets and requests. */
export type UserEventType = FactNameFor<'owner'>

/** Times are epoch ms. */
export interface UserWebhook {
  /** 32 hex characters. */
  id: string
  userId: string
  /** Up to 64 characters. */
  name: string
  /** Up to 2,000 characters. */
  url: string
  /** Empty: all types. */
  types: UserEventType[]
  /** Signing secret, encrypted by core. Up to 255 characters, as is `previousSecret`. */
  secret: string
  /** The secret before the last rotation, which also signs until `previousUntil`; null: none. */
  previousSecret: string | null
  previousUntil: number | null
  /** Since when every attempt has failed; null: the last attempt succeeded, or there was no attempt. */
  failingSince: number | null
  createdAt: number
  /** Until when it gets events; null: as long as it exists. */
  expiresAt: number | null
  /** Security epoch of the account when it was created, see `User.epoch`. */
  epoch: number
}

/** Absent fields stay unchanged. */
export type UserWebhookChanges = Partial<Omit<UserWebhook, 'id' | 'userId' | 'createdAt' | 'epoch'>>

/** The properties that decide whether an event is stored for a webhook. */
export interface UserWebhookTarget extends Pick<UserWebhook, 'id' | 'userId' | 'types'> {
  /** Number of its pending events. */
  waiting: number
}

/** Name of the subscriber of a webhook in the outbox. Names of subscribers of plugins do not contain colons. */
export type UserSubscriber = `user:${string}`

/** A webhook and its events end with the user. */
export interface UserWebhookStore {
  /**
   * Throws AppError `storage.conflict` for an existing id, and if the user has `max` webhooks already; `user.not_found`
   * for an unknown user; and `auth.required` if the session `sessionId` of the user was ended, which is checked in the
   * same transaction, as for tokens. null: no session.
   */
  create(webhook: UserWebhook, max: number, sessionId?: string | null): Promise<void>
  /** Webhooks of a user, newest first. */
  list(userId: string): Promise<UserWebhook[]>
  get(id: string): Promise<UserWebhook | null>
  /** Null for an unknown webhook, and for one of another user. */
  update(id: string, userId: string, changes: UserWebhookChanges): Promise<UserWebhook | null>
  /**
   * Deletes a webhook with its events in one transaction. True for the caller that deleted it. A webhook of another
   * user is absent.
   */
  remove(id: string, userId: string): Promise<boolean>
  /** All webhooks of all users. */
  listTargets(): Promise<UserWebhookTarget[]>
  /** Ids of the webhooks with an event that is due: pending, and with a `nextAt` that is not after `now`. */
  listDue(now: number): Promise<string[]>
  /** Deletes up to `limit` pending events of webhooks that do not exist, and returns their number. */
  deleteOrphanedEvents(limit: number): Promise<number>
}
