/**
 * Traffic of senders and readers. Each lane is one of both, and checks that every secret opens exactly as often as it
 * may.
 */
import { randomBytes, randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError, type Client, createClient } from '#shared/client/client'
import { createRequestClient, type RequestClient } from '#shared/client/request-client'
import { withRetry } from '#shared/client/retry'
import { decryptViewed, encryptSecret } from '#shared/crypto/encrypt-secret'
import { deriveKeys, newClaim } from '#shared/crypto/keys'
import { createRequestKeys, decryptSubmission, encryptSubmission } from '#shared/crypto/submission'
import { parseFragment } from '#shared/link'

/** Retries of a request last longer than any fault. */
const RETRY_MS = [500, 1_000, 2_000, 4_000, 8_000, 16_000]
const RETRY_FOR_MS = 30_000
const PAUSE_MS = 100
const PASSWORD_SHARE = 0.05
const FILE_SHARE = 0.2
const FILE_BYTES = 100_000
const BURN_SHARE = 0.1
/** Share of the rounds of a lane that are about a request for secrets. */
const REQUEST_SHARE = 0.1
const REQUEST_TTL = 120
const TEXT_MAX = 20_000

export interface Traffic {
  /** Secrets and requests that were opened as often as they may be, or burned. */
  completed: number
  /** Violations, such as a lost secret, a changed text, or more views than allowed. */
  faults: string[]
}

/** Runs `lanes` lanes until `isOver` returns true. */
export async function runTraffic(url: string, lanes: number, isOver: () => boolean): Promise<Traffic> {
  const traffic: Traffic = { completed: 0, faults: [] }
  const options = { server: url, retryMs: RETRY_MS, timeoutMs: 60_000 }
  const client = createClient(options)
  const requests = createRequestClient(options)
  const lane = async () => {
    while (!isOver()) {
      const round = chance(REQUEST_SHARE) ? answerOne({ client, requests }, traffic) : shareOne(client, traffic)
      await round.catch((error) => traffic.faults.push(`unexpected: ${describe(error)}`))
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
  const text = randomBytes(randomInt(10, TEXT_MAX))
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
    if (ticket) await download(client, { key: ticket.key, secretId: id, part: 0 })
    await client.ack(id, { access: keys.access, claim })
    return viewed
  }
  const isBurned = chance(BURN_SHARE)
  for (let view = isBurned ? 1 : 0; view < maxViews; view++) {
    const viewed = await open()
    const { text: opened } = await decryptViewed({ ...viewed, files: [] }, keys.passphrase, 2 ** 20)
    if (!Buffer.from(opened).equals(text)) traffic.faults.push('a text changed')
  }
  if (isBurned) await retry(() => client.burn(id, { burnToken })).catch(ignoreRepeated)
  await expectNotFound(open(), 'a view', traffic)
  traffic.completed++
}

interface Clients {
  client: Client
  requests: RequestClient
}

/** Creates a request, submits to it as often as it accepts and once more, opens each submission once, and closes it. */
async function answerOne({ client, requests }: Clients, traffic: Traffic): Promise<void> {
  const maxSubmissions = randomInt(1, 4)
  const { keys, body } = await createRequestKeys(null)
  const { id, expiresAt } = await requests.create({ ...body, ttl: REQUEST_TTL, maxSubmissions }, newClaim())
  const submit = async () => {
    const text = randomBytes(randomInt(10, TEXT_MAX))
    const sealed = await encryptSubmission({ ...keys, requestId: id, text, expiresAt }, body.recipient)
    await requests.submit(id, { submit: keys.submitProof, ...sealed }, newClaim())
    return text.toString('base64')
  }
  const sent: string[] = []
  while (sent.length < maxSubmissions) sent.push(await submit())
  await expectNotFound(submit(), 'a submission', traffic)
  const { submissions } = await requests.collect(id, keys.collectProof)
  const opened: string[] = []
  for (const submission of submissions) {
    const proof = { access: keys.collectProof, claim: newClaim() }
    const viewed = await client.view(submission.id, proof)
    const { text } = await decryptSubmission(viewed, { ...keys, requestId: id }, TEXT_MAX)
    opened.push(Buffer.from(text).toString('base64'))
    await client.ack(submission.id, proof)
    await expectNotFound(client.view(submission.id, { ...proof, claim: newClaim() }), 'a view of a submission', traffic)
  }
  if (opened.sort().join() !== sent.sort().join()) traffic.faults.push('a submission was lost or changed')
  await retry(() => requests.close(id, keys.collectProof)).catch(ignoreRepeated)
  traffic.completed++
}

const expectNotFound = (result: Promise<unknown>, what: string, { faults }: Traffic): Promise<unknown> =>
  result.then(
    () => faults.push(`${what} too many`),
    (error) => isNotFound(error) || faults.push(`instead of 404, ${what}: ${describe(error)}`),
  )

const isNotFound = (error: unknown) => error instanceof ApiError && error.status === 404

/** A burn whose response was lost has burned the secret, and a close has closed the request. */
function ignoreRepeated(error: unknown): void {
  if (!isNotFound(error)) throw error
}

/**
 * As the web app and the CLI retry transfers: a connection that is idle during a fault may be closed under the next
 * request.
 */
const retry = <T>(operation: () => Promise<T>): Promise<T> => withRetry(operation, { retryForMs: RETRY_FOR_MS })

const download = (client: Client, part: Parameters<Client['download']>[0]) =>
  retry(() => client.download(part, new Uint8Array(FILE_BYTES)))

async function upload(client: Client) {
  const bytes = randomBytes(FILE_BYTES)
  const { id, token } = await retry(() => client.createFile({ size: bytes.length, parts: 1 }))
  await retry(() => client.putPart({ id, token }, 0, bytes))
  return { id, token }
}
