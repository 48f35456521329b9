import { afterAll, beforeAll, describe } from 'vitest'
import { fileStoreContract, openFileStore } from '#core/testing'
import { needs } from '#test/needs'
import { makeBucket, type TestBucket } from '#test/s3'
import s3 from './index.js'

describe('file store contract on S3', needs('s3'), () => {
  let bucket: TestBucket
  beforeAll(async () => {
    bucket = await makeBucket()
  })
  afterAll(() => bucket.drop())

  fileStoreContract(() => openFileStore(s3, { options: { ...bucket.options() } }))
})
