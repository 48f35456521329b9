/** A passkey in software: what a browser and its authenticator return, for tests of the server. ES256 only. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type { NewPasskey, PasskeyCreation, PasskeyRequest, UsedPasskey } from '#shared/api'

/** How the browser and the authenticator differ from what they should do. */
export interface Behavior {
  origin?: string
  /** Default: of the options. */
  rpId?: string
  challenge?: string
  /** Whether the authenticator checked the person. Default: true. */
  verifiesUser?: boolean
  /** Its counter. Default: 0, as synchronized passkeys have. */
  counter?: number
  backedUp?: boolean
  userHandle?: string | null
  /** Of the attestation. Default: `none`, without a statement. */
  attestation?: { format: string; statement: Map<string, Cbor> }
}

export interface SoftwarePasskey {
  create(options: PasskeyCreation, behavior?: Behavior): NewPasskey
  /** After `create`. */
  get(options: PasskeyRequest, behavior?: Behavior): UsedPasskey
}

const ORIGIN = 'https://secrets.example.org'
const PRESENT = 0x01
const VERIFIED = 0x04
const BACKUP_ELIGIBLE = 0x08
const BACKED_UP = 0x10
const HAS_CREDENTIAL = 0x40

export function createSoftwarePasskey(): SoftwarePasskey {
  const credentialId = randomBytes(32)
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = credentialId.toString('base64url')
  let userHandle = 'AAAA'
  return {
    create({ rp, user, challenge }, behavior = {}) {
      userHandle = user.id
      const { format = 'none', statement = new Map() } = behavior.attestation ?? {}
      const length = Buffer.from([credentialId.length >> 8, credentialId.length & 0xff])
      const credential = Buffer.concat([Buffer.alloc(16), length, credentialId, encodeCbor(toCoseKey(publicKey))])
      const authData = Buffer.concat([authenticatorData({ rpId: rp.id, ...behavior }, HAS_CREDENTIAL), credential])
      const attestation = new Map<string, Cbor>([
        ['fmt', format],
        ['attStmt', statement],
        ['authData', authData],
      ])
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON: clientData('webauthn.create', { challenge, ...behavior }).toString('base64url'),
          attestationObject: encodeCbor(attestation).toString('base64url'),
          transports: ['internal', 'hybrid'],
        },
      }
    },
    get({ rpId, challenge }, behavior = {}) {
      const authData = authenticatorData({ rpId, ...behavior })
      const data = clientData('webauthn.get', { challenge, ...behavior })
      const signed = Buffer.concat([authData, sha256(data)])
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON: data.toString('base64url'),
          authenticatorData: authData.toString('base64url'),
          signature: sign('sha256', signed, privateKey).toString('base64url'),
          userHandle: behavior.userHandle === undefined ? userHandle : behavior.userHandle,
        },
      }
    },
  }
}

function authenticatorData(
  { rpId = '', counter = 0, verifiesUser = true, backedUp = true }: Behavior,
  otherFlags = 0,
): Buffer {
  const backup = backedUp ? BACKUP_ELIGIBLE | BACKED_UP : BACKUP_ELIGIBLE
  const tail = Buffer.alloc(5)
  tail.writeUInt8(PRESENT | (verifiesUser ? VERIFIED : 0) | backup | otherFlags)
  tail.writeUInt32BE(counter, 1)
  return Buffer.concat([sha256(Buffer.from(rpId)), tail])
}

const clientData = (type: string, { challenge, origin = ORIGIN }: Behavior): Buffer =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

function toCoseKey(publicKey: KeyObject): Map<number, Cbor> {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const [keyType, algorithm, curve, xAxis, yAxis] = [1, 3, -1, -2, -3]
  return new Map<number, Cbor>([
    [keyType, 2],
    [algorithm, -7],
    [curve, 1],
    [xAxis, Buffer.from(x, 'base64url')],
    [yAxis, Buffer.from(y, 'base64url')],
  ])
}

export type Cbor = number | string | Buffer | Cbor[] | Map<string, Cbor> | Map<number, Cbor>

/** CBOR of RFC 8949, as far as authenticators need it. */
function encodeCbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(encodeCbor)])
  const entries = [...(value as Map<string | number, Cbor>)]
  return Buffer.concat([head(5, entries.length), ...entries.flat().map((each) => encodeCbor(each as Cbor))])
}

/** `size`: up to 65535. */
function head(majorType: number, size: number): Buffer {
  const type = majorType << 5
  if (size < 24) return Buffer.from([type | size])
  return size < 256 ? Buffer.from([type | 24, size]) : Buffer.from([type | 25, size >> 8, size & 0xff])
}

const sha256 = (data: Buffer): Buffer => createHash('sha256').update(data).digest()
