/** Slow hashes of passwords that the server itself checks, behind a queue that cannot grow without end. */
import { hash, verify } from '@node-rs/argon2'
import { AppError } from './errors.js'

/** OWASP's second choice for argon2id: 19 MiB, two passes, one lane. About 7 ms. */
const COST = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }
/** Hashes share libuv's four threads with the storage, so they get half of them. */
const AT_ONCE = 2
const QUEUE_MAX = 64

let running = 0
const waiting: (() => void)[] = []

/** A PHC string. Throws AppError `server.busy` when too many wait. */
export const hashPassword = (password: string): Promise<string> => queued(() => hash(password.normalize('NFC'), COST))

/** Throws AppError `server.busy` when too many wait. */
export const verifyPassword = (phc: string, password: string): Promise<boolean> =>
  queued(() => verify(phc, password.normalize('NFC')))

async function queued<T>(work: () => Promise<T>): Promise<T> {
  if (waiting.length >= QUEUE_MAX) throw new AppError('server.busy', { retryAfter: 1 })
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
  else running++
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}
