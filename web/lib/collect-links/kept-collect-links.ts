/**
 * Collect links that users keep in this browser. Each is in IndexedDB, encrypted with a key of its own that scripts can
 * use but not read, and bound to the account and the request. See decision 044.
 */
import type { EpochMs } from '#shared/epoch-ms'

const DATABASE = 'collect-links'
const VERSION = 1
const LINKS = 'links'
const ALGORITHM = 'AES-GCM'
const IV_BYTES = 12

/** The account and the request of a link. */
interface Place {
  username: string
  /** Of the request. */
  id: string
}

interface KeptLink extends Place {
  expiresAt: EpochMs
  key: CryptoKey
  iv: Uint8Array<ArrayBuffer>
  encrypted: ArrayBuffer
}

/** False on plain http, and where the browser has no storage for keys. */
export const canKeepCollectLinks = (): boolean => 'subtle' in crypto && 'indexedDB' in globalThis

/** Resolves with false when storage is blocked or full. Replaces the link of the same request. */
export async function keepCollectLink(place: Place, link: string, expiresAt: EpochMs): Promise<boolean> {
  try {
    const key = await crypto.subtle.generateKey({ name: ALGORITHM, length: 256 }, false, ['encrypt', 'decrypt'])
    const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
    const encrypted = await crypto.subtle.encrypt(cipher(place, iv), key, new TextEncoder().encode(link))
    const kept: KeptLink = { ...place, expiresAt, key, iv, encrypted }
    await runTransaction('readwrite', (links) => links.put(kept), true)
    return true
  } catch {
    return false
  }
}

/** Resolves with null when this browser has no link of the user to the request, or storage is blocked. */
export async function readCollectLink(place: Place, now: EpochMs): Promise<string | null> {
  try {
    const kept = await runTransaction<KeptLink | undefined>('readonly', (links) => links.get(place.id))
    if (kept?.username !== place.username || kept.expiresAt <= now) return null
    return new TextDecoder().decode(await crypto.subtle.decrypt(cipher(place, kept.iv), kept.key, kept.encrypted))
  } catch {
    return null
  }
}

/**
 * Resolves with the ids of the requests whose links the user keeps; none when storage is blocked. Deletes the links of
 * all requests that have expired.
 */
export async function listKeptRequests(username: string, now: EpochMs): Promise<Set<string>> {
  const all = (await runTransaction<KeptLink[]>('readonly', (links) => links.getAll()).catch(() => null)) ?? []
  const expired = all.filter(({ expiresAt }) => expiresAt <= now)
  for (const { id } of expired) await forgetCollectLink(id)
  return new Set(all.filter((each) => each.username === username && !expired.includes(each)).map(({ id }) => id))
}

/** Never rejects. */
export async function forgetCollectLink(id: string): Promise<void> {
  await runTransaction('readwrite', (links) => links.delete(id)).catch(() => {})
}

/** Deletes the links of all accounts. Never rejects. */
export function clearCollectLinks(): Promise<void> {
  return new Promise((resolve) => {
    try {
      const request = indexedDB.deleteDatabase(DATABASE)
      // A tab that is just using it delays this.
      request.onsuccess = request.onerror = request.onblocked = () => resolve()
    } catch {
      // Storage is blocked, so there are none.
      resolve()
    }
  })
}

/** Decryption fails for the link of another account or request. */
const cipher = ({ username, id }: Place, iv: Uint8Array<ArrayBuffer>): AesGcmParams => ({
  name: ALGORITHM,
  iv,
  additionalData: new TextEncoder().encode(`${username}\n${id}`),
})

/**
 * Resolves with the result when it is on disk. Without `isCreated`, resolves with undefined when there is no database.
 * Rejects when storage is blocked or full, or the database is of a later version.
 */
async function runTransaction<Result>(
  mode: IDBTransactionMode,
  use: (links: IDBObjectStore) => IDBRequest,
  isCreated = false,
): Promise<Result | undefined> {
  const database = await openDatabase(isCreated)
  if (database === null) return undefined
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(LINKS, mode)
      const request = use(transaction.objectStore(LINKS))
      transaction.oncomplete = () => resolve(request.result)
      transaction.onabort = () => reject(transaction.error)
    })
  } finally {
    database.close()
  }
}

/** Null: there is none, and it was not created. */
function openDatabase(isCreated: boolean): Promise<IDBDatabase | null> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, VERSION)
    request.onupgradeneeded = () => {
      if (isCreated) request.result.createObjectStore(LINKS, { keyPath: 'id' })
      else request.transaction?.abort()
    }
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => (request.error?.name === 'AbortError' ? resolve(null) : reject(request.error))
    request.onblocked = () => reject(new Error('blocked'))
  })
}
