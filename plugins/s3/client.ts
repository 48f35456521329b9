import { S3Client } from '@aws-sdk/client-s3'

export interface Access {
  /** Empty: AWS. */
  endpoint: string
  region: string
  pathStyle: boolean
  /** Empty, both: what the SDK finds in the environment, in files or from the machine. */
  accessKeyId: string
  secretAccessKey: string
  /** Sends its requests unsigned, as anybody could. */
  isAnonymous?: boolean
}

/** How long to wait for a connection, and for the next byte on one, in ms. */
const PATIENCE = { connectMs: 3_000, idleMs: 15_000 }
/** Of calls without a body; the waits between them are random. A part that is being stored is the uploader's to repeat. */
const TRIES = 3
/** Each slow reader holds one: enough of them that the others need not wait. */
const MAX_SOCKETS = 500

const silent = { debug() {}, info() {}, warn() {}, error() {} }

/** Connects to nothing yet. */
export function createClient(
  { endpoint, region, pathStyle, accessKeyId, secretAccessKey, isAnonymous = false }: Access,
  { connectMs, idleMs } = PATIENCE,
): S3Client {
  return new S3Client({
    region,
    forcePathStyle: pathStyle,
    ...(endpoint ? { endpoint } : {}),
    ...(accessKeyId ? { credentials: { accessKeyId, secretAccessKey } } : {}),
    ...(isAnonymous ? { credentials: NOBODY, signer: { sign: async (request) => request } } : {}),
    maxAttempts: TRIES,
    retryMode: 'standard',
    // What it adds on its own is refused by older servers. TLS guards the way, and age notices every changed byte.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    logger: silent,
    requestHandler: {
      connectionTimeout: connectMs,
      socketTimeout: idleMs,
      httpAgent: { maxSockets: MAX_SOCKETS },
      httpsAgent: { maxSockets: MAX_SOCKETS },
    },
  })
}

const NOBODY = { accessKeyId: 'nobody', secretAccessKey: 'nothing' }
