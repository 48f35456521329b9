/** Compares the clocks of the server and of this machine. */
import type { HttpFetch } from '#shared/client/send-request'
import { formatDuration } from '../output/duration.js'
import type { Io } from '../output/io.js'

/** A smaller difference is not reported, in seconds. */
const TOLERATED_S = 120

/**
 * Warns once when the `Date` header differs from `now`: the server decides with its own clock when a secret expires.
 */
export function createClockCheck(send: HttpFetch, io: Io, now: () => number = Date.now): HttpFetch {
  let isChecked = false
  return async (url, request) => {
    const response = await send(url, request)
    const date = Date.parse(response.headers.get('date') ?? '')
    // A cache returns an old date.
    if (isChecked || Number.isNaN(date) || response.headers.get('age') !== null) return response
    isChecked = true
    const aheadS = (date - now()) / 1000
    if (Math.abs(aheadS) > TOLERATED_S) {
      const difference = `${formatDuration(Math.abs(aheadS))} ${aheadS > 0 ? 'ahead of' : 'behind'}`
      io.warnOnce(`the clock of the server is ${difference} the clock of this machine; times of expiry may look wrong`)
    }
    return response
  }
}
