/** Traffic of senders and readers. Each lane is one of both, and checks that every secret opens exactly as often as it may. */
import { randomBytes, randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError, type Client, createClient } from '#shared/client/client'
import { decryptViewed, encryptSecret } from '#shared/crypto/encrypt-secret'
import { deriveKeys, newClaim } from '#shared/crypto/keys'
import { parseFragment } from '#shared/link'

/** Retries of a request last longer than any fault. */
const RETRY_MS = [500, 1_000, 2_000, 4_000, 8_000, 16_000]
const PAUSE_MS = 100
const PASSWORD_SHARE = 0.05
const FILE_SHARE = 0.2
const FILE_BYTES = 100_000
const BURN_SHARE = 0.1

export interface Traffic {
  /** Secrets that were opened as often as they may be, or burned. */
  completed: number
  /** What must not happen: a lost secret, a changed text, a view too many. */
  faults: string[]
}

/** Runs `lanes` lanes until `isOver` returns true. */
export async function runTraffic(url: string, lanes: number, isOver: () => boolean): Promise<Traffic> {
  const traffic: Traffic = { completed: 0, faults: [] }
  const client = createClient({ server: url, retryMs: RETRY_MS, timeoutMs: 60_000 })
  const lane = async () => {
    while (!isOver()) {
      await shareOne(client, traffic).catch((error) => traffic.faults.push(`unexpected: ${describe(error)}`))
      await sleep(PAUSE_MS)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return traffic
}

const chance = (share: number): boolean => randomInt(1000) < share * 1000

const describe = (error: unknown): string =>
  error instanceof ApiError ? `${error.status} ${error.code}` : error instanceof Error ? error.message : String(error)

/** Creates a secret and opens it as often as it may be opened, then once more. */
async function shareOne(client: Client, traffic: Traffic): Promise<void> {
  const text = randomBytes(randomInt(10, 20_000))
  const maxViews = randomInt(1, 4)
  const password = chance(PASSWORD_SHARE) ? 'pässword of a soak test' : undefined
  const { fragment, body } = await encryptSecret({ text, ttl: 60, maxViews, ...(password && { password }) })
  const keys = await deriveKeys(parseFragment(fragment), password)
  const file = chance(FILE_SHARE) ? await upload(client) : null
  const { id, burnToken } = await client.create({ ...body, ...(file && { files: [file] }) }, newClaim())
  const proofs = { access: keys.access, ...(keys.passwordProof && { password: keys.passwordProof }) }
  const open = async () => {
    const claim = newClaim()
    const viewed = await client.view(id, { ...proofs, claim })
    const [ticket] = viewed.files
    if (ticket) await client.download({ key: ticket.key, secretId: id, part: 0 }, new Uint8Array(FILE_BYTES))
    await client.ack(id, { access: keys.access, claim })
    return viewed
  }
  const isBurned = chance(BURN_SHARE)
  for (let view = isBurned ? 1 : 0; view < maxViews; view++) {
    const viewed = await open()
    const { text: opened } = await decryptViewed({ ...viewed, files: [] }, keys.passphrase, 2 ** 20)
    if (!Buffer.from(opened).equals(text)) traffic.faults.push('a text changed')
  }
  if (isBurned) await client.burn(id, { burnToken }).catch(ignoreRepeated)
  await open().then(
    () => traffic.faults.push('a view too many'),
    (error) => isNotFound(error) || traffic.faults.push(`after the last view: ${describe(error)}`),
  )
  traffic.completed++
}

const isNotFound = (error: unknown) => error instanceof ApiError && error.status === 404

/** A burn whose response was lost has burned the secret. */
function ignoreRepeated(error: unknown): void {
  if (!isNotFound(error) && error instanceof ApiError) throw error
}

async function upload(client: Client) {
  const bytes = randomBytes(FILE_BYTES)
  const { id, token } = await client.createFile({ size: bytes.length, parts: 1 })
  await client.putPart({ id, token }, 0, bytes)
  return { id, token }
}
