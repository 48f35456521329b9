/** Slow hashes of passwords that the server itself checks, behind a queue that cannot grow without end. */
import { randomBytes } from 'node:crypto'
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

/** Nobody's: for taking as long about a name that is unknown as about a wrong password. */
export const DUMMY_HASH = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$${random(16)}$${random(32)}`

/** True when it was made with less work than is usual now. */
export function isOutdated(phc: string): boolean {
  const [, memory = 0, time = 0] = /\$m=(\d+),t=(\d+),/.exec(phc)?.map(Number) ?? []
  return memory < COST.memoryCost || time < COST.timeCost
}

/** Bytes as a PHC string has them. */
function random(bytes: number): string {
  return randomBytes(bytes).toString('base64').replace(/=+$/, '')
}

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
