/** Limits parallel downloads per ticket, in this process. */
import { Readable } from 'node:stream'
import { AppError } from '../lib/errors.js'
import type { SizedStream } from '../lib/sized-stream.js'
import type { EpochMs } from '../shared/epoch-ms.js'

/** More than any of our clients uses. */
const PARALLEL = 4
/** A download without progress for this long is considered abandoned. */
const STALLED_MS = 10_000

interface Download {
  body: Readable | null
  /** Time of the last chunk. */
  progressAt: EpochMs
}

export type DownloadLimiter = ReturnType<typeof createDownloadLimiter>

export function createDownloadLimiter(now: () => EpochMs) {
  const running = new Map<string, Set<Download>>()

  /**
   * Starts a download with `begin` when the ticket has a free slot. A stalled download is ended to free a slot for a
   * new one. Throws AppError `limit.reached` or an error of `begin`.
   */
  return async (ticket: string, begin: () => Promise<SizedStream>): Promise<SizedStream> => {
    const others = running.get(ticket) ?? new Set()
    if (others.size >= PARALLEL) endStalled(others, now() - STALLED_MS)
    if (others.size >= PARALLEL) throw new AppError('limit.reached', { retryAfter: 1 })
    const download: Download = { body: null, progressAt: now() }
    running.set(ticket, others.add(download))
    const release = () => {
      others.delete(download)
      if (others.size === 0 && running.get(ticket) === others) running.delete(ticket)
    }
    try {
      const { body, length } = await begin()
      download.body = Readable.from(trackProgress(body, download), { objectMode: false })
      download.body.once('close', () => {
        body.destroy()
        release()
      })
      return { body: download.body, length }
    } catch (error) {
      release()
      throw error
    }
  }

  async function* trackProgress(body: Readable, download: Download) {
    for await (const chunk of body) {
      download.progressAt = now()
      yield chunk
    }
  }
}

function endStalled(downloads: Set<Download>, before: EpochMs): void {
  for (const download of downloads) {
    if (download.body === null || download.progressAt > before) continue
    downloads.delete(download)
    download.body.destroy(new AppError('limit.reached'))
  }
}
