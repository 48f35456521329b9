/** Checks at the start of the server. */
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3'
import { toFailure } from './s3-errors.js'
import type { BucketTarget } from './s3-file-store.js'

/** Not a valid blob key, so it is never listed. Servers that start at the same time may delete each other's probe. */
const PROBE = 'mayfly-probe'

const REASONS: Record<string, string> = {
  NoSuchBucket: 'there is no such bucket',
  AccessDenied: 'these credentials do not allow it',
  InvalidAccessKeyId: 'the access key is unknown',
  SignatureDoesNotMatch: 'the secret does not fit the access key',
  CredentialsProviderError: 'no credentials were found',
}

/**
 * Throws an Error of one sentence unless the bucket can be listed, written and deleted from with `client`, and neither
 * listed nor read with `anonymous`. Closes `anonymous`.
 */
export async function checkBucket(client: S3Client, anonymous: S3Client, target: BucketTarget): Promise<void> {
  const { bucket, prefix, encryption } = target
  const list = new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, MaxKeys: 1 })
  const probe = { Bucket: bucket, Key: prefix + PROBE }
  try {
    await attempt('list', target, () => client.send(list))
    await attempt('write to', target, () =>
      client.send(new PutObjectCommand({ ...probe, Body: '', ServerSideEncryption: encryption })),
    )
    const isPublic =
      (await succeeds(() => anonymous.send(list))) || (await succeeds(() => readObject(anonymous, probe)))
    await attempt('delete from', target, () => client.send(new DeleteObjectCommand(probe)))
    if (isPublic) throw new Error(`bucket "${bucket}" is public: anybody can read it without credentials`)
  } finally {
    anonymous.destroy()
  }
}

async function attempt(verb: string, { bucket }: BucketTarget, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const { name, status } = toFailure(error)
    const reason =
      REASONS[name] ?? (status === null ? `it does not answer (${name})` : `it answers ${status} (${name})`)
    throw new Error(`cannot ${verb} bucket "${bucket}": ${reason}`)
  }
}

const succeeds = (work: () => Promise<unknown>): Promise<boolean> =>
  work().then(
    () => true,
    () => false,
  )

async function readObject(client: S3Client, object: { Bucket: string; Key: string }): Promise<void> {
  await (await client.send(new GetObjectCommand(object))).Body?.transformToByteArray()
}
