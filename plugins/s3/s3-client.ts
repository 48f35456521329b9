import { S3Client } from '@aws-sdk/client-s3'

export interface Access {
  /** Empty: AWS. */
  endpoint: string
  region: string
  pathStyle: boolean
  /** Both empty: the default credential chain of the SDK. */
  accessKeyId: string
  secretAccessKey: string
  /** Sends unsigned requests. */
  isAnonymous?: boolean
}

/** In ms: timeouts for connecting, and for the next byte. */
const TIMEOUTS = { connectMs: 3_000, idleMs: 15_000 }
/** For requests without a body, with random waits in between. A failed part upload is retried by the uploader. */
const MAX_ATTEMPTS = 3
/** Each slow download occupies a socket, so there must be many. */
const MAX_SOCKETS = 500

const silentLogger = { debug() {}, info() {}, warn() {}, error() {} }

/** Creates a client. It does not connect yet. */
export function createClient(
  { endpoint, region, pathStyle, accessKeyId, secretAccessKey, isAnonymous = false }: Access,
  { connectMs, idleMs } = TIMEOUTS,
): S3Client {
  return new S3Client({
    region,
    forcePathStyle: pathStyle,
    ...(endpoint ? { endpoint } : {}),
    ...(accessKeyId ? { credentials: { accessKeyId, secretAccessKey } } : {}),
    ...(isAnonymous ? { credentials: DUMMY_CREDENTIALS, signer: { sign: async (request) => request } } : {}),
    maxAttempts: MAX_ATTEMPTS,
    retryMode: 'standard',
    // Older servers reject the SDK's own checksums. TLS and age detect every changed byte anyway.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    logger: silentLogger,
    requestHandler: {
      connectionTimeout: connectMs,
      socketTimeout: idleMs,
      httpAgent: { maxSockets: MAX_SOCKETS },
      httpsAgent: { maxSockets: MAX_SOCKETS },
    },
  })
}

/** The SDK requires credentials, even when nothing is signed. */
const DUMMY_CREDENTIALS = { accessKeyId: 'anonymous', secretAccessKey: 'anonymous' }
