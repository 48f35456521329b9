/**
 * Shows the progress of a transfer: a status line on a terminal, plain lines for scripts and screen readers, or JSON.
 */
import type { Progress } from '#shared/client/upload'
import type { Io } from './io.js'

export type ProgressMode = 'auto' | 'plain' | 'json'

export interface ProgressDisplay {
  update(progress: Progress): void
  /** Clears the status line. */
  end(): void
}

/** Shorter transfers show nothing on a terminal, unless they are larger than SHOW_AT_ONCE_BYTES. */
const SHOW_AFTER_MS = 500
const SHOW_AT_ONCE_BYTES = 2 ** 20
const REDRAW_MS = 250

/** `label`: the activity, such as `Encrypting and sending`. `total` in bytes. */
export function createProgressDisplay(label: string, total: number, mode: ProgressMode, io: Io): ProgressDisplay {
  const lines = mode === 'plain' || (mode === 'auto' && io.isTty.stderr && !io.canRedraw)
  if (mode === 'json') return createJsonDisplay(io)
  if (lines) return createPlainDisplay(label, io)
  return io.canRedraw ? createStatusLine(label, total, io) : createWarningDisplay(io)
}

function createStatusLine(label: string, total: number, io: Io): ProgressDisplay {
  const started = Date.now()
  let last: Progress = { done: 0, total, isWaiting: false }
  const draw = () => {
    const ms = Date.now() - started
    if (ms >= SHOW_AFTER_MS || total > SHOW_AT_ONCE_BYTES) io.redraw(formatProgressLine(label, last, ms))
  }
  const timer = setInterval(draw, REDRAW_MS)
  timer.unref()
  return {
    update(progress) {
      last = progress
      draw()
    },
    end() {
      clearInterval(timer)
      io.redraw('')
    },
  }
}

/** Prints a line per 10 %. */
function createPlainDisplay(label: string, io: Io): ProgressDisplay {
  const trouble = createWarningDisplay(io)
  let lastTenth = -1
  return {
    update(progress) {
      trouble.update(progress)
      const tenth = Math.floor(fractionOf(progress) * 10)
      if (tenth > lastTenth) io.note(`${label} ${tenth * 10} %`)
      lastTenth = Math.max(lastTenth, tenth)
    },
    end() {},
  }
}

function createJsonDisplay(io: Io): ProgressDisplay {
  return {
    update: ({ done, total, isWaiting }) => io.writeErr(`${JSON.stringify({ done, total, waiting: isWaiting })}\n`),
    end() {},
  }
}

/** Warns once per lost connection, so that a waiting script says why. */
function createWarningDisplay(io: Io): ProgressDisplay {
  let wasWaiting = false
  return {
    update({ isWaiting }) {
      if (isWaiting && !wasWaiting) io.warn('connection lost, retrying')
      wasWaiting = isWaiting
    },
    end() {},
  }
}

/** `Encrypting and sending  42 %  18/43 MB  6 MB/s  4 s left`. */
export function formatProgressLine(label: string, progress: Progress, elapsedMs: number): string {
  const { done, total, isWaiting } = progress
  const percent = `${Math.floor(fractionOf(progress) * 100)} %`
  const unit = total < 10_000_000 ? (['kB', 1000] as const) : (['MB', 1_000_000] as const)
  const inUnits = (bytes: number) => Math.round(bytes / unit[1])
  const amount = `${inUnits(done)}/${inUnits(total)} ${unit[0]}`
  const words = [label, percent, amount]
  if (isWaiting) return [...words, 'waiting for the connection'].join('  ')
  const perSecond = done / (elapsedMs / 1000)
  if (done > 0 && elapsedMs > 0) {
    words.push(`${inUnits(perSecond)} ${unit[0]}/s`, `${Math.ceil((total - done) / perSecond)} s left`)
  }
  return words.join('  ')
}

const fractionOf = ({ done, total }: Progress) => (total === 0 ? 1 : done / total)
