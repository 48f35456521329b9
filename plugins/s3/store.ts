import { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
  type ServerSideEncryption,
} from '@aws-sdk/client-s3'
import { AppError, checkBlobKey, exactly, type FileStore, isBlobKey, type Log, type StoredBlob } from '#core'
import { failureOf, isMissing, translated } from './errors.js'

export interface Place {
  bucket: string
  prefix: string
  encryption: ServerSideEncryption | undefined
}

/** Whether the server answers is asked for again and again: it should be known before the next time. */
const PING_MS = 5_000

export function s3Files(
  client: S3Client,
  { bucket, prefix, encryption }: Place,
  log: Log,
): Omit<FileStore, 'location'> {
  const objectOf = (key: string) => {
    checkBlobKey(key)
    return { Bucket: bucket, Key: prefix + key }
  }

  /** Runs `work`; what the SDK throws becomes what it means to a caller. */
  async function attempt<T>(call: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      const failure = failureOf(error)
      if (call === 'get' && isMissing(failure)) throw new AppError('file.not_found')
      log.warn('the server of the files failed', { call, error: failure.name, status: failure.status })
      throw translated(call, failure)
    }
  }

  return {
    async put(key, body, size) {
      const object = objectOf(key)
      const source = Readable.from(exactly(body, size), { objectMode: false })
      const cut = new AbortController()
      // The SDK does not look whether its source fails: it would wait for the rest.
      let broken: Error | null = null
      source.on('error', (error) => {
        broken = error
        cut.abort()
      })
      const command = new PutObjectCommand({
        ...object,
        Body: source,
        ContentLength: size,
        ContentType: 'application/octet-stream',
        ServerSideEncryption: encryption,
      })
      try {
        await attempt('put', () => client.send(command, { abortSignal: cut.signal }))
      } catch (error) {
        // Gives back a connection on which the server has answered before it had everything.
        cut.abort()
        throw broken ?? error
      } finally {
        source.destroy()
      }
    },

    async get(key) {
      const command = new GetObjectCommand(objectOf(key))
      const { Body } = await attempt('get', () => client.send(command))
      return Body as Readable
    },

    async *list() {
      let from: string | undefined
      do {
        const command = new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken: from })
        const { Contents = [], NextContinuationToken } = await attempt('list', () => client.send(command))
        for (const { Key = '', LastModified } of Contents) {
          const key = Key.slice(prefix.length)
          if (isBlobKey(key) && LastModified) yield { key, modifiedAt: LastModified.getTime() } satisfies StoredBlob
        }
        from = NextContinuationToken
      } while (from)
    },

    async delete(key) {
      const command = new DeleteObjectCommand(objectOf(key))
      await attempt('delete', async () => {
        try {
          await client.send(command)
        } catch (error) {
          if (!isMissing(failureOf(error))) throw error
        }
      })
    },

    // A put that was interrupted leaves nothing: an object is there with its last byte, and nothing is sent in parts.
    tidy: async () => {},

    async ping() {
      const command = new HeadBucketCommand({ Bucket: bucket })
      await attempt('ping', () => client.send(command, { abortSignal: AbortSignal.timeout(PING_MS) }))
    },
  }
}
