/** Workers that seal and open the parts of files, several at a time, and one that keeps the digest. */
import type { Digest, openPart, sealPart } from '#shared/parts'
import { type Desk, openDesk } from '../sealing/desk.js'

const WORKERS_MAX = 4

export interface Crew {
  sealPart: typeof sealPart
  openPart: typeof openPart
  /** For one file at a time. */
  newDigest(): Digest
  /** Ends all workers; what they had to do is rejected. */
  end(): void
}

/** Takes the bytes that it is given away: they move to a worker. */
export function startCrew(): Crew {
  const counter = openDesk()
  const desks = Array.from({ length: Math.min(navigator.hardwareConcurrency || 1, WORKERS_MAX) }, openDesk)
  const free = () => desks.reduce((best, desk) => (desk.load() < best.load() ? desk : best)) as Desk
  return {
    sealPart: (key, index, bytes) => free().run('sealPart', [key, index, bytes], [bytes.buffer]),
    openPart: (key, index, sealed, length) => free().run('openPart', [key, index, sealed, length], [sealed.buffer]),
    newDigest() {
      const begun = counter.run('newDigest', [])
      // Not every file is counted; those that are meet the failure themselves.
      begun.catch(() => {})
      return {
        update: async (bytes) => {
          await begun
          await counter.run('digest', [bytes])
        },
        hex: async () => {
          await begun
          return counter.run('digestHex', [])
        },
      }
    },
    end() {
      for (const desk of [counter, ...desks]) desk.end()
    },
  }
}
