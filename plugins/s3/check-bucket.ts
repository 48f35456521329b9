/** Checks at the start of the server. */
import { ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3'
import { lookUp } from '#shared/look-up'
import type { BucketTarget } from './bucket-target.js'
import { createProbe } from './probe-bucket.js'
import { toFailure } from './s3-errors.js'

const REASONS: Record<string, string> = {
  NoSuchBucket: 'there is no such bucket',
  AccessDenied: 'these credentials do not allow it',
  InvalidAccessKeyId: 'the access key is unknown',
  SignatureDoesNotMatch: 'the secret does not fit the access key',
  CredentialsProviderError: 'no credentials were found',
}

/**
 * Throws an Error of one sentence unless objects can be written, read and deleted with `client`, and the bucket neither
 * listed nor read with `anonymous`, which it closes. Returns whether `client` may list the bucket, which it needs for
 * cleanup only.
 */
export async function checkBucket(
  client: S3Client,
  anonymous: S3Client,
  target: BucketTarget,
): Promise<{ canList: boolean }> {
  const { bucket, prefix } = target
  const list = new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, MaxKeys: 1 })
  const probe = createProbe(target)
  try {
    const canList = await attempt('list', target, () => isAllowed(() => client.send(list)))
    await attempt('write to', target, () => probe.put(client))
    const isPublic = (await succeeds(() => anonymous.send(list))) || (await succeeds(() => probe.get(anonymous)))
    try {
      await attempt('read from', target, () => probe.get(client))
    } finally {
      await attempt('delete from', target, () => probe.delete(client))
    }
    if (isPublic) throw new Error(`bucket "${bucket}" is public: it can be read without credentials`)
    return { canList }
  } finally {
    anonymous.destroy()
  }
}

async function attempt<T>(verb: string, { bucket }: BucketTarget, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { name, status } = toFailure(error)
    const reason =
      lookUp(REASONS, name) ?? (status === null ? `it does not answer (${name})` : `it answers ${status} (${name})`)
    throw new Error(`cannot ${verb} bucket "${bucket}": ${reason}`)
  }
}

const succeeds = (work: () => Promise<unknown>): Promise<boolean> =>
  work().then(
    () => true,
    () => false,
  )

/** False if the server knows this access key and denies the request. */
async function isAllowed(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    const { name, status } = toFailure(error)
    if (name === 'AccessDenied' && status === 403) return false
    throw error
  }
}
