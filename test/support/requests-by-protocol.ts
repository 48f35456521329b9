/**
 * A second client of secret requests, written from the protocol and not from our client: it imports `node:crypto` and
 * `age-encryption` only. Tests compare the two.
 */
import { createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { armor, Decrypter, Encrypter } from 'age-encryption'

const PART = 8 * 2 ** 20

/** HKDF-SHA-256 without salt. */
const derive = (key: Uint8Array, info: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, new Uint8Array(), `mayfly/v1/${info}`, 32))
const proofOf = (key: Uint8Array, info: string): string => derive(key, info).toString('base64url')
const sha256 = (...parts: (string | Uint8Array)[]): Buffer =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest()

interface Link {
  api: string
  id: string
  key: Buffer
}

/** Throws unless version, length and check characters are right. */
function parseLink(link: string, kind: 'request' | 'collect', keyLength: number): Link {
  const [, base = '', id = '', encoded = '', check] =
    new RegExp(`^(.+)/${kind}/([\\w-]{22})#1([\\w-]{${keyLength}})(..)$`).exec(link) ?? []
  if (sha256(`mayfly/v1/${kind}/link${encoded}`).toString('base64url').slice(0, 2) !== check)
    throw new Error(`not a ${kind} link: ${link}`)
  return { api: `${base}/api/v1`, id, key: Buffer.from(encoded, 'base64url') }
}

/** The keys that are derived from a collect link. */
export function collectKeys(link: string) {
  const { api, id, key } = parseLink(link, 'collect', 43)
  const shareSecret = derive(key, 'request/share')
  const seed = derive(key, 'request/identity')
  return {
    api,
    id,
    key,
    seed,
    shareSecret,
    identity: bech32('age-secret-key-pq-', seed).toUpperCase(),
    collect: proofOf(key, 'request/collect'),
    notePassphrase: proofOf(shareSecret, 'request/note'),
    authentic: derive(shareSecret, 'request/authentic'),
  }
}

export interface OpenedSubmission {
  id: string
  text: Buffer
  // biome-ignore lint/suspicious/noExplicitAny: the header as the submitter wrote it
  header: any
  files: { name: string; type: string; bytes: Buffer }[]
}

/** Opens all unopened submissions of a collect link. */
export async function openByProtocol(link: string): Promise<OpenedSubmission[]> {
  const { api, id, identity, collect, authentic } = collectKeys(link)
  const { submissions } = await post(`${api}/request/${id}/collect`, { collect })
  const opened: OpenedSubmission[] = []
  for (const submission of submissions.filter(({ viewed }: { viewed: boolean }) => !viewed)) {
    const claim = randomBytes(16).toString('base64url')
    const secret = await post(`${api}/secret/${submission.id}`, { access: collect, claim })
    const decrypter = new Decrypter()
    decrypter.addIdentity(identity)
    const tagged = Buffer.from(await decrypter.decrypt(armor.decode(secret.text)))
    const plain = tagged.subarray(44)
    if (tagged.subarray(0, 44).toString() !== `${tagOf(authentic, id, plain)}\n`) throw new Error('a forged submission')
    const header = JSON.parse(plain.subarray(0, plain.indexOf('\n')).toString())
    if (header.v !== 1 || header.request !== id) throw new Error('a submission of another request')
    const tickets = new Map<string, string>(
      secret.files.map((file: { id: string; key: string }) => [file.id, file.key]),
    )
    const files = []
    for (const file of header.files) {
      const download = { key: tickets.get(file.id), secretId: submission.id }
      files.push({ name: file.name, type: file.type, bytes: await openFile(api, file, download) })
    }
    opened.push({ id: submission.id, text: plain.subarray(plain.indexOf('\n') + 1), header, files })
  }
  return opened
}

async function openFile(api: string, file: { key: string; digest: string; size: number }, download: object) {
  const parts: Buffer[] = []
  for (let part = 0; part < Math.max(1, Math.ceil(file.size / PART)); part++) {
    const response = await fetch(`${api}/download`, jsonBody({ ...download, part }))
    if (!response.ok) throw new Error(`download: ${response.status}`)
    const decrypter = new Decrypter()
    decrypter.addPassphrase(proofOf(Buffer.from(file.key, 'base64url'), `part/${part}`))
    parts.push(Buffer.from(await decrypter.decrypt(new Uint8Array(await response.arrayBuffer()))))
  }
  const bytes = Buffer.concat(parts)
  if (bytes.length !== file.size || sha256(...parts.map((part) => sha256(part))).toString('hex') !== file.digest)
    throw new Error('a damaged file')
  return bytes
}

export interface SubmittedFile {
  name: string
  bytes: Buffer
}

/** Opens a request link and checks its recipient. */
export async function openRequestByProtocol(link: string) {
  const { api, id, key } = parseLink(link, 'request', 64)
  const [shareSecret, fingerprint] = [key.subarray(0, 32), key.subarray(32)]
  const submit = proofOf(shareSecret, 'request/submit')
  const request = await post(`${api}/request/${id}/open`, { submit })
  const actual = sha256('mayfly/v1/request/recipient', request.recipient).subarray(0, 16)
  if (!actual.equals(fingerprint)) throw new Error('the recipient was exchanged')
  return {
    api,
    id,
    submit,
    recipient: request.recipient as string,
    notePassphrase: proofOf(shareSecret, 'request/note'),
    authentic: derive(shareSecret, 'request/authentic'),
  }
}

/** Proves that a holder of the request link made the envelope for this request. */
export const tagOf = (authentic: Buffer, id: string, envelope: string | Uint8Array): string =>
  createHmac('sha256', authentic).update(`${id}\n`).update(envelope).digest('base64url')

/** Submits a text and small files, and returns the response. `differing`: fields of the header. */
export async function submitByProtocol(
  link: string,
  text: string,
  files: SubmittedFile[] = [],
  differing: object = {},
): Promise<{ id: string }> {
  const { api, id, submit, recipient, authentic } = await openRequestByProtocol(link)
  const uploads = []
  for (const file of files) uploads.push(await uploadFile(api, `Request ${id}.${submit}`, file))
  const created = Date.now()
  const header = {
    v: 1,
    request: id,
    title: '',
    created,
    ttl: 3600,
    maxViews: 1,
    preventBurn: false,
    hasPassword: false,
    files: uploads.map(({ token, ...file }) => file),
    ...differing,
  }
  const encrypter = new Encrypter()
  encrypter.addRecipient(recipient)
  const envelope = pad(header, text)
  const sealed = armor.encode(await encrypter.encrypt(`${tagOf(authentic, id, envelope)}\n${envelope}`))
  return post(`${api}/request/${id}/submission`, {
    submit,
    text: sealed,
    ...(uploads.length > 0 ? { files: uploads.map(({ id, token }) => ({ id, token })) } : {}),
  })
}

/** A multiple of 256 bytes. */
function pad(header: object, text: string): string {
  const line = (zeros: number) => `${JSON.stringify({ ...header, pad: '0'.repeat(zeros) })}\n${text}`
  return line((256 - (Buffer.byteLength(line(0)) % 256)) % 256)
}

/** Uploads a file of one part. */
async function uploadFile(api: string, authorization: string, { name, bytes }: SubmittedFile) {
  const key = randomBytes(32)
  const encrypter = new Encrypter()
  encrypter.setPassphrase(proofOf(key, 'part/0'))
  encrypter.setScryptWorkFactor(1)
  const part = await encrypter.encrypt(bytes)
  const { id, token } = await post(`${api}/files`, { size: part.length, parts: 1 }, { authorization })
  const response = await fetch(`${api}/files/${id}/0`, {
    method: 'PUT',
    body: part as Uint8Array<ArrayBuffer>,
    headers: { authorization: `Upload ${token}`, 'content-type': 'application/octet-stream' },
  })
  if (!response.ok) throw new Error(`upload: ${response.status}`)
  const type = 'application/octet-stream'
  const encodedKey = key.toString('base64url')
  return { id, token, name, type, size: bytes.length, key: encodedKey, digest: sha256(sha256(bytes)).toString('hex') }
}

const jsonBody = (body: object, headers: Record<string, string> = {}) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

async function post(url: string, body: object, headers: Record<string, string> = {}) {
  const response = await fetch(url, jsonBody(body, headers))
  const content = JSON.parse(await response.text())
  if (!response.ok) throw Object.assign(new Error(`${response.status} ${content.code}`), { response: content })
  return content
}

const ALPHABET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'

/** BIP 173, without its limit of 90 characters. */
function bech32(prefix: string, bytes: Uint8Array): string {
  const words = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const data = (words.match(/.{1,5}/g) ?? []).map((bits) => Number.parseInt(bits.padEnd(5, '0'), 2))
  const codes = [...prefix].map((letter) => letter.charCodeAt(0))
  const expanded = [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)]
  const sum = polymod([...expanded, ...data, 0, 0, 0, 0, 0, 0]) ^ 1
  const check = [0, 1, 2, 3, 4, 5].map((at) => (sum >> (5 * (5 - at))) & 31)
  return `${prefix}1${[...data, ...check].map((word) => ALPHABET[word]).join('')}`
}

function polymod(values: number[]): number {
  const generators = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]
  return values.reduce((sum, value) => {
    const next = ((sum & 0x1ffffff) << 5) ^ value
    return generators.reduce((result, generator, at) => (((sum >> 25) >> at) & 1 ? result ^ generator : result), next)
  }, 1)
}
