/** What has to be so before a server may start on a bucket. */
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3'
import { failureOf } from './errors.js'
import type { Place } from './store.js'

/** Not the name of a blob, so nothing lists it. Of servers that start at once each may take away the other's. */
const PROBE = 'mayfly-probe'

const REASONS: Record<string, string> = {
  NoSuchBucket: 'there is no such bucket',
  AccessDenied: 'these credentials do not allow it',
  InvalidAccessKeyId: 'the access key is unknown',
  SignatureDoesNotMatch: 'the secret does not fit the access key',
  CredentialsProviderError: 'no credentials were found',
}

/**
 * Throws an Error of one sentence unless the bucket can be listed, written and deleted from, and by nobody without
 * credentials read or listed. `anonymous` is closed.
 */
export async function checkBucket(client: S3Client, anonymous: S3Client, place: Place): Promise<void> {
  const { bucket, prefix, encryption } = place
  const list = new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, MaxKeys: 1 })
  const probe = { Bucket: bucket, Key: prefix + PROBE }
  try {
    await must('list', place, () => client.send(list))
    await must('write to', place, () =>
      client.send(new PutObjectCommand({ ...probe, Body: '', ServerSideEncryption: encryption })),
    )
    const isPublic = (await works(() => anonymous.send(list))) || (await works(() => read(anonymous, probe)))
    await must('delete from', place, () => client.send(new DeleteObjectCommand(probe)))
    if (isPublic) throw new Error(`bucket "${bucket}" is public: anybody can read it without credentials`)
  } finally {
    anonymous.destroy()
  }
}

async function must(verb: string, { bucket }: Place, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const { name, status } = failureOf(error)
    const reason =
      REASONS[name] ?? (status === null ? `it does not answer (${name})` : `it answers ${status} (${name})`)
    throw new Error(`cannot ${verb} bucket "${bucket}": ${reason}`)
  }
}

const works = (work: () => Promise<unknown>): Promise<boolean> =>
  work().then(
    () => true,
    () => false,
  )

async function read(client: S3Client, object: { Bucket: string; Key: string }): Promise<void> {
  await (await client.send(new GetObjectCommand(object))).Body?.transformToByteArray()
}
