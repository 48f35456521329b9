/** Notifications of users, which plugins send to them. */
import type { EpochMs } from '../shared/epoch-ms.js'
import type { SecurityChange } from './outbox.js'

/** Content of a notification. Times are epoch ms. Without texts, keys, passwords and links to secrets. */
export interface Notifications {
  /**
   * `createdAt`: of the secret. `views`: so far, including this one. `viewsLeft`: null for unlimited. `recipient`:
   * number of the named recipient; null: the secret has none.
   */
  'secret.viewed': {
    secretId: string
    createdAt: number
    views: number
    viewsLeft: number | null
    recipient: number | null
  }
  /** Its lifetime ended, and it was never viewed. */
  'secret.expired': { secretId: string; createdAt: number }
  /** On request, before its last view. */
  'secret.burned': { secretId: string; createdAt: number; views: number }
  /** After ten wrong passwords in a row. */
  'secret.locked': { secretId: string; createdAt: number; lockedUntil: number }
  /** `submissions`: so far, including this one. */
  'request.submitted': { requestId: string; submissions: number; submissionsLeft: number }
  /** The user asked for a link that sets a new password. `url` is as good as the password until it expires. */
  'password-reset': { url: string; expiresAt: number }
  /**
   * A code for a named recipient, who entered the address on the page of a link. It works for `minutes`. `sender`:
   * username of the sender; null: a visitor, or unknown. Without an account: `recipient.username` is empty.
   */
  'secret-code': { code: string; minutes: number; sender: string | null }
  /** A link that verifies the address. */
  'verify-email': { url: string; expiresAt: number }
  /**
   * Someone signed in on a new device. `network`: as CIDR; null: unknown. `program`: such as `Firefox`; empty: unknown.
   */
  'new-device': { network: string | null; program: string }
  /**
   * A credential or sign-in method of the user was changed or added, or the account was suspended, resumed or deleted.
   * Also sent to the address before, for a week.
   */
  'account-changed': { change: SecurityChange }
  /** Sent by `mayfly mail test`. */
  test: Record<string, never>
}

export type NotificationType = keyof Notifications

export interface Recipient {
  /** E-mail address. */
  address: string
  /** Empty: no account. */
  username: string
  /** Tag of the preferred language, such as `pt-BR`; null: unknown. */
  language: string | null
}

export type Notification = {
  [Type in NotificationType]: {
    /** The same for each attempt. */
    id: string
    type: Type
    /** When it happened. */
    at: EpochMs
    data: Notifications[Type]
    recipient: Recipient
    /**
     * URL that turns the notifications of this account off: POST does it, GET shows a page. null: nothing to turn off.
     */
    unsubscribeUrl: string | null
  }
}[NotificationType]
