/** File store in a bucket of S3 or of a compatible server. */
import { definePlugin, flag, OperatorError, secret, z } from '#core'
import { checkBucket } from './check-bucket.js'
import { isEndpoint, isUnencryptedEndpoint } from './endpoint.js'
import { createClient } from './s3-client.js'
import { createS3FileStore } from './s3-file-store.js'

export default definePlugin({
  contract: 1,
  name: 's3',
  options: z.object({
    endpoint: z
      .string()
      .refine(isEndpoint, 'must be http://host:port or https://host, without credentials')
      .default('')
      .describe('URL of the server; empty: AWS'),
    region: z.string().min(1).default('us-east-1').describe('region of the bucket'),
    bucket: z
      .string()
      .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be 3 to 63 characters of a-z, 0-9, . and -')
      .describe('name of the bucket, which must exist and must not be public'),
    prefix: z
      .string()
      .regex(/^([\w.-][\w./-]*)?$/, 'must be letters, digits and . _ - /, and not begin with /')
      .default('')
      .describe('prefix of the name of every object, such as mayfly/'),
    pathStyle: flag()
      .default(false)
      .describe('put the bucket in the path instead of the host name, as most servers other than AWS require'),
    accessKeyId: z.string().default('').describe('access key; empty: the default credential chain of the AWS SDK'),
    secretAccessKey: secret(z.string().default('').describe('secret of the access key')),
    serverSideEncryption: z
      .enum(['', 'AES256', 'aws:kms'])
      .default('')
      .describe('server-side encryption to request; empty: the default of the bucket'),
  }),
  async setup({ bucket, prefix, serverSideEncryption, ...access }, { log }) {
    if ((access.accessKeyId === '') !== (access.secretAccessKey === '')) {
      throw new OperatorError('accessKeyId and secretAccessKey belong together', { isSetting: true })
    }
    const client = createClient(access)
    const target = { bucket, prefix, encryption: serverSideEncryption || undefined }
    try {
      const { canList } = await checkBucket(client, createClient({ ...access, isAnonymous: true }), target)
      if (!canList) log.warn('the bucket cannot be listed, so files without a secret are not found and not deleted')
    } catch (error) {
      client.destroy()
      throw error
    }
    const location = `${access.endpoint || `AWS ${access.region}`} ${bucket}/${prefix}`
    const isUnencrypted = isUnencryptedEndpoint(access.endpoint)
    const files = { ...createS3FileStore(client, target, log), location, isUnencrypted }
    return { files, close: () => client.destroy() }
  },
})
