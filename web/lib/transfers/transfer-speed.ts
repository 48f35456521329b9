/** How fast a transfer is, and how long it will take. */

/** What is shown of a transfer. Bytes and seconds; null: not known yet. */
export interface TransferState {
  done: number
  total: number
  /** Of 100, rounded down. */
  percent: number
  perSecond: number | null
  secondsLeft: number | null
  /** The connection is lost, and it will go on by itself. */
  isWaiting: boolean
}

/** The speed is that of the last seconds, so that it follows the line. */
const WINDOW_MS = 8000
/** Less than this tells nothing. */
const MIN_SAMPLE_MS = 1500

/** `now` in ms, from a clock that is never set back. */
export function createSpeedMeter(total: number, now: () => number = () => performance.now()) {
  const samples = [{ at: now(), done: 0 }]
  return (done: number, isWaiting: boolean): TransferState => {
    const at = now()
    // What lies before a pause says nothing of the speed after it.
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
