/** Password hashes (argon2id), computed behind a bounded queue. */
import { randomBytes } from 'node:crypto'
import { limitConcurrency } from '../shared/limit-concurrency.js'
import { type HashCost, loadArgon2, toBase64 } from './argon2.js'
import { AppError } from './errors.js'

/** OWASP's second choice for argon2id: 19 MiB, two passes, one lane. About 7 ms. */
export const HASH_COST: HashCost = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }
/** Hashes and the storage share the four libuv threads, so hashes use half of them. */
const PARALLEL = 2
const QUEUE_MAX = 64

const queue = limitConcurrency(PARALLEL)

export type PasswordHasher = ReturnType<typeof passwordHasher>

/**
 * Hashes passwords. Every instance uses `HASH_COST`; only tests pass a lower cost, because most of them are not about
 * hashes.
 */
export function passwordHasher(cost: HashCost = HASH_COST) {
  const { memoryCost, timeCost, parallelism } = cost
  return {
    /** Returns a PHC string. Throws AppError `server.busy` when the queue is full. */
    hash: (password: string): Promise<string> =>
      runQueued(async () => (await loadArgon2()).hash(password.normalize('NFC'), cost)),

    /** A hash without a matching password. Verifying it makes an unknown user name take as long as a wrong password. */
    dummyHash: `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${toBase64(randomBytes(16))}$${toBase64(randomBytes(32))}`,

    /** True when the hash was made at a lower cost. */
    isOutdated(phc: string): boolean {
      const [, memory = 0, time = 0] = /\$m=(\d+),t=(\d+),/.exec(phc)?.map(Number) ?? []
      return memory < memoryCost || time < timeCost
    },
  }
}

/** Throws AppError `server.busy` when the queue is full. */
export const verifyPassword = (phc: string, password: string): Promise<boolean> =>
  runQueued(async () => (await loadArgon2()).verify(phc, password.normalize('NFC')))

async function runQueued<T>(work: () => Promise<T>): Promise<T> {
  if (queue.waiting() >= QUEUE_MAX) throw new AppError('server.busy', { retryAfter: 1 })
  return queue.run(work)
}
