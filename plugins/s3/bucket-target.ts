import type { ServerSideEncryption } from '@aws-sdk/client-s3'

export interface BucketTarget {
  bucket: string
  prefix: string
  encryption: ServerSideEncryption | undefined
}
