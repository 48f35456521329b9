/** A probe object under the prefix, for access keys without access to the bucket itself. */
import { randomUUID } from 'node:crypto'
import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3'
import type { BucketTarget } from './bucket-target.js'

type Send = (client: S3Client, options?: { abortSignal: AbortSignal }) => Promise<unknown>

export interface Probe {
  put: Send
  get: Send
  delete: Send
}

/** In ms. Each probe is three requests, which the owner of the bucket pays for. */
const PROBE_INTERVAL = 60_000

/**
 * Creates the requests for an object whose name is not a valid blob key, so it is never listed, and differs in each
 * process.
 */
export function createProbe({ bucket, prefix, encryption }: BucketTarget): Probe {
  const object = { Bucket: bucket, Key: `${prefix}mayfly-probe-${randomUUID()}` }
  return {
    put: (client, options) =>
      client.send(new PutObjectCommand({ ...object, Body: '', ServerSideEncryption: encryption }), options),
    async get(client, options) {
      await (await client.send(new GetObjectCommand(object), options)).Body?.transformToByteArray()
    },
    delete: (client, options) => client.send(new DeleteObjectCommand(object), options),
  }
}

/**
 * Returns a function that writes, reads and deletes the probe. After a success it does nothing for a minute. Rejects
 * with the error of the SDK.
 */
export function createPacedProbe(
  client: S3Client,
  target: BucketTarget,
): (options: { abortSignal: AbortSignal }) => Promise<void> {
  const probe = createProbe(target)
  let succeededAt = Number.NEGATIVE_INFINITY
  return async (options) => {
    if (performance.now() - succeededAt < PROBE_INTERVAL) return
    await probe.put(client, options)
    try {
      await probe.get(client, options)
    } finally {
      await probe.delete(client, options)
    }
    succeededAt = performance.now()
  }
}
