/**
 * argon2id of a native module or, if the module does not load, of Node.js 24.7 and newer, which takes twice as long.
 * Hashes are PHC strings.
 */
import crypto, { getFips, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { lazy } from './lazy.js'

/** Parameters of argon2id; `memoryCost` in KiB. */
export interface HashCost {
  memoryCost: number
  timeCost: number
  parallelism: number
}

interface Argon2 {
  hash(password: string, cost: HashCost): Promise<string>
  /** Throws an Error for a hash of another kind. */
  verify(phc: string, password: string): Promise<boolean>
}

interface Parameters {
  message: string
  nonce: Uint8Array
  /** In KiB. */
  memory: number
  passes: number
  parallelism: number
  tagLength: number
}

/** The types of Node.js 20 do not have it. */
type Derive = (algorithm: 'argon2id', parameters: Parameters, done: (error: Error | null, tag: Buffer) => void) => void

const SALT_BYTES = 16
const HASH_BYTES = 32
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** Many servers never hash a password, so the native module is loaded at first use. */
export const loadArgon2: () => Promise<Argon2> = lazy(() => chooseArgon2(() => import('@node-rs/argon2')))

/** Rejects with the error of `loadNative` if there is no other implementation. */
export async function chooseArgon2(loadNative: () => Promise<Argon2>): Promise<Argon2> {
  try {
    return await loadNative()
  } catch (error) {
    const builtIn = findBuiltInArgon2()
    if (!builtIn) throw error
    return builtIn
  }
}

/** Null in older versions of Node.js, and in FIPS mode. */
export function findBuiltInArgon2(): Argon2 | null {
  const { argon2 } = crypto as { argon2?: Derive }
  if (!argon2 || getFips() === 1) return null
  const derive = promisify(argon2)
  return {
    async hash(message, { memoryCost: memory, timeCost: passes, parallelism }) {
      const nonce = randomBytes(SALT_BYTES)
      const tag = await derive('argon2id', { message, nonce, memory, passes, parallelism, tagLength: HASH_BYTES })
      return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${toBase64(nonce)}$${toBase64(tag)}`
    },

    async verify(phc, message) {
      const [, memory, passes, parallelism, salt = '', hash = ''] = PHC.exec(phc) ?? []
      if (hash === '') throw new Error('The password hash is not an argon2id hash.')
      const [nonce, expected] = [Buffer.from(salt, 'base64'), Buffer.from(hash, 'base64')]
      const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
      return timingSafeEqual(
        await derive('argon2id', { ...cost, message, nonce, tagLength: expected.length }),
        expected,
      )
    },
  }
}

/** The variant of PHC strings. */
export const toBase64 = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '')
