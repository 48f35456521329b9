import { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3'
import { AppError, assertStreamLength, checkBlobKey, type FileStore, isBlobKey, type Log, type StoredBlob } from '#core'
import type { BucketTarget } from './bucket-target.js'
import { createPacedProbe } from './probe-bucket.js'
import { isMissing, toFailure, toFileError } from './s3-errors.js'

interface S3Files extends BucketTarget {
  client: S3Client
  log: Log
}

/** In ms. Shorter than the interval of the health check. */
const PING_TIMEOUT = 5_000

export function createS3FileStore(client: S3Client, target: BucketTarget, log: Log): Omit<FileStore, 'location'> {
  const files = { ...target, client, log }
  const probe = createPacedProbe(client, target)
  return {
    put: (key, body, size) => putBlob(files, key, body, size),

    async get(key) {
      const command = new GetObjectCommand(toObject(files, key))
      const { Body } = await translateErrors(log, 'get', () => client.send(command))
      return Body as Readable
    },

    list: () => listBlobs(files),

    async delete(key) {
      const command = new DeleteObjectCommand(toObject(files, key))
      await translateErrors(log, 'delete', async () => {
        try {
          await client.send(command)
        } catch (error) {
          if (!isMissing(toFailure(error))) throw error
        }
      })
    },

    // An interrupted put leaves nothing to delete: an object appears with its last byte, and there are no multipart
    // uploads.
    deleteUnfinished: async () => {},

    async ping() {
      const options = { abortSignal: AbortSignal.timeout(PING_TIMEOUT) }
      await translateErrors(log, 'ping', async () => {
        try {
          await client.send(new HeadBucketCommand({ Bucket: target.bucket }), options)
        } catch (error) {
          // The server responds, but the access key may be limited to the prefix.
          if (toFailure(error).status !== 403) throw error
          await probe(options)
        }
      })
    },
  }
}

async function putBlob(files: S3Files, key: string, body: Readable, size: number): Promise<void> {
  const { client, log, encryption } = files
  const object = toObject(files, key)
  const source = Readable.from(assertStreamLength(body, size), { objectMode: false })
  const controller = new AbortController()
  // The SDK ignores errors of its source and would wait for the rest.
  let sourceError: Error | null = null
  source.on('error', (error) => {
    sourceError = error
    controller.abort()
  })
  const command = new PutObjectCommand({
    ...object,
    Body: source,
    ContentLength: size,
    ContentType: 'application/octet-stream',
    ServerSideEncryption: encryption,
  })
  try {
    await translateErrors(log, 'put', () => client.send(command, { abortSignal: controller.signal }))
  } catch (error) {
    // Frees the connection when the server responded before it received the whole body.
    controller.abort()
    throw sourceError ?? error
  } finally {
    source.destroy()
  }
}

async function* listBlobs({ client, log, bucket, prefix }: S3Files): AsyncGenerator<StoredBlob> {
  let token: string | undefined
  do {
    const command = new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken: token })
    const { Contents = [], NextContinuationToken } = await translateErrors(log, 'list', () => client.send(command))
    for (const { Key = '', LastModified } of Contents) {
      const key = Key.slice(prefix.length)
      if (isBlobKey(key) && LastModified) yield { key, modifiedAt: LastModified.getTime() }
    }
    token = NextContinuationToken
  } while (token)
}

function toObject({ bucket, prefix }: BucketTarget, key: string): { Bucket: string; Key: string } {
  checkBlobKey(key)
  return { Bucket: bucket, Key: prefix + key }
}

/** Translates errors of the SDK to AppErrors. */
async function translateErrors<T>(log: Log, method: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const failure = toFailure(error)
    if (method === 'get' && isMissing(failure)) throw new AppError('file.not_found')
    log.warn('file store failed', { method, error: failure.name, status: failure.status })
    throw toFileError(method, failure)
  }
}
