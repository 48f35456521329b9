/** Notifies all processes of an instance of changed data in their caches. */

/**
 * `settings`: instance settings, also of plugins. `public-lists`: lists of public secrets. `webhooks`: webhooks of
 * users.
 */
export type CachedPart = 'settings' | 'public-lists' | 'webhooks'

export interface Invalidation {
  /**
   * Notifies all processes, also on other machines. A rejection is logged: caches then keep their value for a few
   * seconds.
   */
  publish(part: CachedPart): Promise<void>
  /** Calls `listener` with every published message of any process, until the plugin is closed. Called once. */
  subscribe(listener: (part: string) => void): void
}
