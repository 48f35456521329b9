/** Events for plugins and for the statistics. */

/** Emitted after the change: a listener cannot prevent anything. Payloads never contain texts, keys or passwords. */
export interface Events {
  'secret:created': {
    id: string
    ownerId: string | null
    expiresAt: number
    kind: 'sealed' | 'raw' | 'public'
    /** Number of files. */
    files: number
    hasPassword: boolean
    hasAllowedIp: boolean
  }
  /** `views`: so far, including this one. `age`: of the secret, in ms. */
  'secret:viewed': { id: string; viewsLeft: number | null; views: number; age: number }
  'secret:burned': { id: string; reason: 'last-view' | 'request' | 'expired' }
  'request:created': { id: string; ownerId: string | null; expiresAt: number; maxSubmissions: number }
  /** `secretId`: of the submission, for which `secret:created` was emitted before. */
  'request:submitted': { id: string; ownerId: string | null; secretId: string }
  'request:closed': { id: string }
  'user:created': { id: string; username: string; provider: string }
  'user:deleted': { id: string; username: string }
  /** A request was refused. `rule`: the name of the rate limit, such as `secret-create`. */
  'limit:reached': { rule: string }
  /** A sign-in failed. `provider`: `password`, or the id of the provider whose sign-in page was used. */
  'sign-in:failed': { provider: string }
  /** `route`: the pattern of the route, never the path, or `page`. `ms`: until the response began. */
  'request:answered': { method: string; route: string; status: number; ms: number }
  /** `secrets`: number of deleted secrets. */
  'cleanup:finished': { secrets: number; ms: number }
}

export type Listeners = { [E in keyof Events]?: (event: Events[E]) => void | Promise<void> }

export type Emit = <E extends keyof Events>(name: E, event: Events[E]) => Promise<void>
