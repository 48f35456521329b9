import { afterAll, beforeAll, describe } from 'vitest'
import { fileStoreContract, openFileStore } from '#core/testing'
import { makeBucket, missingS3, type TestBucket } from '#core/testing/s3'
import s3 from './index.js'

const why = await missingS3()

describe.skipIf(why)(why ?? 'on a real server', () => {
  let bucket: TestBucket
  beforeAll(async () => {
    bucket = await makeBucket()
  })
  afterAll(() => bucket.drop())

  fileStoreContract(() => openFileStore(s3, { options: { ...bucket.options() } }))
})
