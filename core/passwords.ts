/** Password hashes (argon2id), computed behind a bounded queue. */
import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { AppError } from './errors.js'

/** OWASP's second choice for argon2id: 19 MiB, two passes, one lane. About 7 ms. */
const COST = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }
/** Hashes and the storage share the four libuv threads, so hashes use half of them. */
const PARALLEL = 2
const QUEUE_MAX = 64

let running = 0
const waiting: (() => void)[] = []

/** Returns a PHC string. Throws AppError `server.busy` when the queue is full. */
export const hashPassword = (password: string): Promise<string> => queued(() => hash(password.normalize('NFC'), COST))

/** Throws AppError `server.busy` when the queue is full. */
export const verifyPassword = (phc: string, password: string): Promise<boolean> =>
  queued(() => verify(phc, password.normalize('NFC')))

/** Matches no password. Verified for unknown users, so that the response time equals that of a wrong password. */
export const DUMMY_HASH = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$${random(16)}$${random(32)}`

/** True when the hash was made with a lower cost than the current one. */
export function isOutdated(phc: string): boolean {
  const [, memory = 0, time = 0] = /\$m=(\d+),t=(\d+),/.exec(phc)?.map(Number) ?? []
  return memory < COST.memoryCost || time < COST.timeCost
}

/** Random bytes in the base64 variant of PHC strings. */
function random(bytes: number): string {
  return randomBytes(bytes).toString('base64').replace(/=+$/, '')
}

async function queued<T>(work: () => Promise<T>): Promise<T> {
  if (waiting.length >= QUEUE_MAX) throw new AppError('server.busy', { retryAfter: 1 })
  if (running >= PARALLEL) await new Promise<void>((resolve) => waiting.push(resolve))
  else running++
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}
