/**
 * The C2SP test vectors for age, run through our wrapper. Runs in Node and in a browser, so it uses neither.
 * Most vectors are for X25519 identities, which our wrapper refuses; so that their payloads are tried all the same,
 * each is also tried behind a scrypt header that is made here from the vector's file key.
 */
import { chacha20poly1305 } from '@noble/ciphers/chacha.js'
import { hkdf } from '@noble/hashes/hkdf.js'
import { hmac } from '@noble/hashes/hmac.js'
import { scrypt } from '@noble/hashes/scrypt.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base64nopad } from '@scure/base'
import { decrypt, unarmorText } from '#shared/crypto/age'

const LIMIT = 64 * 2 ** 20

interface Vector {
  fields: Map<string, string>
  file: Uint8Array
}

/** Vectors that were `opened` and `refused` as specified, and a sentence for each failure. */
export interface VectorReport {
  opened: number
  refused: number
  rewrapped: number
  wrong: string[]
}

/** Tries every vector of the package `cctv-age`. */
export async function tryAgeVectors(vectors: Record<string, Uint8Array>): Promise<VectorReport> {
  const report: VectorReport = { opened: 0, refused: 0, rewrapped: 0, wrong: [] }
  for (const [name, bytes] of Object.entries(vectors)) {
    const vector = await parse(bytes)
    const isOurs = vector.fields.has('passphrase')
    const passphrase = vector.fields.get('passphrase') ?? 'no passphrase'
    const expected = isOurs && vector.fields.get('expect') === 'success' ? vector.fields.get('payload') : null
    const actual = await tryOpen(() => fileOf(vector), passphrase)
    if (actual === expected) expected ? report.opened++ : report.refused++
    else report.wrong.push(`${name}: expected ${expected}, got ${actual}`)
    if (!isOurs && !vector.fields.has('armored')) await tryRewrapped(name, vector, report)
  }
  return report
}

/** The payload with our header must give the result of the vector. */
async function tryRewrapped(name: string, vector: Vector, report: VectorReport): Promise<void> {
  const expect = vector.fields.get('expect')
  if (expect !== 'success' && expect !== 'payload failure') return
  const expected = expect === 'success' ? vector.fields.get('payload') : null
  const header = scryptHeader(hexToBytes(vector.fields.get('file key') ?? ''), name)
  const actual = await tryOpen(() => concatBytes(header, payloadOf(vector.file)), name)
  if (actual === expected) report.rewrapped++
  else report.wrong.push(`${name}, behind a scrypt header: expected ${expected}, got ${actual}`)
}

/** SHA-256 of the plaintext; null: rejected. */
async function tryOpen(file: () => Uint8Array, passphrase: string): Promise<string | null> {
  try {
    return bytesToHex(sha256(await decrypt(file(), passphrase)))
  } catch (error) {
    if (error instanceof Error && error.name === 'DecryptError') return null
    throw error
  }
}

function fileOf({ fields, file }: Vector): Uint8Array {
  return fields.has('armored') ? unarmorText(String.fromCharCode(...file), LIMIT) : file
}

async function parse(bytes: Uint8Array): Promise<Vector> {
  const end = bytes.findIndex((byte, at) => byte === 0x0a && bytes[at + 1] === 0x0a)
  const lines = String.fromCharCode(...bytes.subarray(0, end)).split('\n')
  const fields = new Map(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]))
  const rest = bytes.slice(end + 2)
  return { fields, file: fields.get('compressed') === 'zlib' ? await inflate(rest) : rest }
}

async function inflate(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new DecompressionStream('deflate'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

/** The bytes after the header's last line, which starts with `---`. */
function payloadOf(file: Uint8Array): Uint8Array {
  const text = String.fromCharCode(...file.subarray(0, 4096))
  return file.slice(text.indexOf('\n', text.indexOf('\n--- ') + 1) + 1)
}

/** age v1: the file key wrapped under scrypt(passphrase), and the header's MAC. */
function scryptHeader(fileKey: Uint8Array, passphrase: string): Uint8Array {
  const salt = new Uint8Array(16)
  const salted = concatBytes(utf8ToBytes('age-encryption.org/v1/scrypt'), salt)
  const key = scrypt(utf8ToBytes(passphrase), salted, { N: 2, r: 8, p: 1, dkLen: 32 })
  const body = chacha20poly1305(key, new Uint8Array(12)).encrypt(fileKey)
  const lines = `age-encryption.org/v1\n-> scrypt ${base64nopad.encode(salt)} 1\n${base64nopad.encode(body)}\n---`
  const mac = hmac(sha256, hkdf(sha256, fileKey, undefined, utf8ToBytes('header'), 32), utf8ToBytes(lines))
  return utf8ToBytes(`${lines} ${base64nopad.encode(mac)}\n`)
}
