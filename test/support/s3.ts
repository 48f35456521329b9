/** Buckets on a real S3 server: one for each test file, gone with it. */
import { randomBytes } from 'node:crypto'
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3'
import { forEach } from '#core/testing/file-store/blobs'
import { S3_SERVER } from './s3-server.js'

/** Options of the s3 plugin. */
export interface S3Options {
  endpoint: string
  region: string
  bucket: string
  prefix: string
  pathStyle: boolean
  accessKeyId: string
  secretAccessKey: string
}

export interface TestBucket {
  bucket: string
  /** Direct access, without the plugin. */
  client: S3Client
  /** Under a prefix that nothing else has. `endpoint`: a proxy in front of the S3_SERVER. */
  options(endpoint?: string): S3Options
  /** Options for a server of its own, as variables. */
  env(options?: S3Options): Record<string, string>
  /** Names of all objects in it, sorted. */
  objects(): Promise<string[]>
  /** Removes it with all that is in it. */
  drop(): Promise<void>
}

export async function makeBucket(): Promise<TestBucket> {
  const { endpoint, ...credentials } = S3_SERVER
  const client = new S3Client({
    endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  const bucket = `mayfly-test-${randomBytes(6).toString('hex')}`
  await client.send(new CreateBucketCommand({ Bucket: bucket }))
  const options = (through = endpoint): S3Options => ({
    ...credentials,
    region: 'us-east-1',
    endpoint: through,
    bucket,
    prefix: `${randomBytes(6).toString('hex')}/`,
    pathStyle: true,
  })
  const objects = async () => {
    const names: string[] = []
    for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket: bucket })) {
      names.push(...Contents.map(({ Key = '' }) => Key))
    }
    return names.sort()
  }
  return {
    bucket,
    client,
    options,
    objects,
    env: (chosen = options()) => ({
      MAYFLY_FILES: 's3',
      ...Object.fromEntries(Object.entries(chosen).map(([key, value]) => [asVariable(key), String(value)])),
    }),
    async drop() {
      await forEach(await objects(), (Key) => client.send(new DeleteObjectCommand({ Bucket: bucket, Key })))
      await client.send(new DeleteBucketCommand({ Bucket: bucket }))
      client.destroy()
    },
  }
}

const asVariable = (option: string) => `MAYFLY_S3_${option.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`
