/** Speed and remaining time of a transfer. */

/** In bytes and seconds; null: not known yet. */
export interface TransferState {
  done: number
  total: number
  /** Rounded down. */
  percent: number
  perSecond: number | null
  secondsLeft: number | null
  /** The connection is lost; the transfer resumes automatically. */
  isWaiting: boolean
}

/** The speed is measured over this window. */
const WINDOW_MS = 8000
/** Shorter samples are not reliable. */
const MIN_SAMPLE_MS = 1500

/** `now`: ms of a monotonic clock. */
export function createSpeedMeter(total: number, now: () => number = () => performance.now()) {
  const samples = [{ at: now(), done: 0 }]
  return (done: number, isWaiting: boolean): TransferState => {
    const at = now()
    // Samples from before a pause do not count.
    if (isWaiting) samples.length = 0
    samples.push({ at, done })
    while (samples.length > 2 && (samples[1]?.at ?? at) <= at - WINDOW_MS) samples.shift()
    const [first] = samples
    const elapsed = at - (first?.at ?? at)
    const moved = done - (first?.done ?? done)
    const perSecond = elapsed >= MIN_SAMPLE_MS && moved > 0 ? (moved / elapsed) * 1000 : null
    const secondsLeft = perSecond === null ? null : Math.ceil((total - done) / perSecond)
    const percent = total === 0 ? 100 : Math.floor((done / total) * 100)
    return { done, total, percent, perSecond, secondsLeft, isWaiting }
  }
}
