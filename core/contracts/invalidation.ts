/** Tells all processes of an instance that something in their caches has changed. */

/**
 * `settings`: instance settings, also of plugins. `public-lists`: lists of public secrets. `webhooks`: webhooks of
 * users.
 */
export type CachedPart = 'settings' | 'public-lists' | 'webhooks'

export interface Invalidation {
  /**
   * Tells all processes, also on other machines. A rejection is logged: caches then keep their value for a few seconds.
   */
  publish(part: CachedPart): Promise<void>
  /** Calls `listener` with what any process publishes, until the plugin is closed. Called once. */
  subscribe(listener: (part: string) => void): void
}
