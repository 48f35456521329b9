/** Open responses of the HTTP server, for work that has to wait until they have ended. */
import type { ServerResponse } from 'node:http'
import { withTimeout } from '../shared/with-timeout.js'

export interface ResponseTracker {
  /** Call once for each response, before it is sent. */
  track(response: Pick<ServerResponse, 'once'>): void
  /** Resolves when all responses that are open now have ended, or after `maxMs` milliseconds. */
  waitUntilSettled(maxMs: number): Promise<void>
}

export function createResponseTracker(): ResponseTracker {
  const open = new Set<Promise<void>>()
  return {
    track(response) {
      const ended = new Promise<void>((resolve) => response.once('close', resolve))
      open.add(ended)
      void ended.then(() => open.delete(ended))
    },
    async waitUntilSettled(maxMs) {
      // Only the timeout can reject.
      if (open.size > 0) await withTimeout(maxMs, Promise.all(open)).catch(() => {})
    },
  }
}
