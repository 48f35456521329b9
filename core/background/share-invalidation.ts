/** Clears caches in all processes of the instance, with the plugins that connect them. */

import type { CachedPart, Invalidation } from '../contracts/invalidation.js'
import { describeCause } from '../lib/error-codes.js'
import type { Log } from '../lib/log.js'

interface Parts {
  invalidations: Invalidation[]
  /** Clears the caches of this process. */
  clear: Record<CachedPart, () => void>
  log: Log
}

/** Starts to listen. The returned function notifies the other processes; it never throws. */
export function shareInvalidation({ invalidations, clear, log }: Parts): (part: CachedPart) => void {
  const clearPart = (part: string) => {
    // A newer version may publish others.
    if (Object.hasOwn(clear, part)) clear[part as CachedPart]()
  }
  for (const { subscribe } of invalidations) subscribe(clearPart)
  return (part) => {
    for (const { publish } of invalidations) {
      publish(part).catch((error) => log.warn('other processes were not told of a change', { ...describeCause(error) }))
    }
  }
}
