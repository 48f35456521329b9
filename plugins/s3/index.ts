/** Files in a bucket of S3, or of anything that speaks its protocol. */
import { definePlugin, secret, z } from '#core'
import { createClient } from './client.js'
import { checkBucket } from './set-up.js'
import { s3Files } from './store.js'

export default definePlugin({
  name: 's3',
  options: z.object({
    endpoint: z
      .string()
      .refine(isEndpoint, 'Invalid: expected http://host:port or https://host, without credentials')
      .default('')
      .describe('address of the server; empty: AWS'),
    region: z.string().min(1).default('us-east-1').describe('region of the bucket'),
    bucket: z
      .string()
      .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'Invalid: a bucket has 3 to 63 characters of a-z, 0-9, . and -')
      .describe('bucket, which exists and is not public'),
    prefix: z
      .string()
      .regex(/^([\w.-][\w./-]*)?$/, 'Invalid: it has letters, digits and . _ - /, and does not begin with /')
      .default('')
      .describe('begins the name of every object, such as mayfly/'),
    pathStyle: z
      .union([z.boolean(), z.stringbool({ truthy: ['true'], falsy: ['false'] })])
      .default(false)
      .describe('name the bucket in the path and not in the host, as most servers other than AWS need it'),
    accessKeyId: z.string().default('').describe('access key; empty: where the AWS tools look for one'),
    secretAccessKey: secret(z.string().default('').describe('its secret')),
    serverSideEncryption: z
      .enum(['', 'AES256', 'aws:kms'])
      .default('')
      .describe('ask the server to encrypt once more; empty: as the bucket says'),
  }),
  async setup({ bucket, prefix, serverSideEncryption, ...access }, { log }) {
    if ((access.accessKeyId === '') !== (access.secretAccessKey === '')) {
      throw new Error('accessKeyId and secretAccessKey belong together')
    }
    const client = createClient(access)
    const place = { bucket, prefix, encryption: serverSideEncryption || undefined }
    try {
      await checkBucket(client, createClient({ ...access, isAnonymous: true }), place)
    } catch (error) {
      client.destroy()
      throw error
    }
    const location = `${access.endpoint || `AWS ${access.region}`} ${bucket}/${prefix}`
    return { files: { ...s3Files(client, place, log), location }, close: () => client.destroy() }
  },
})

/** http or https, and nothing in it that does not belong there, least of all a password: it is shown and logged. */
function isEndpoint(text: string): boolean {
  if (text === '') return true
  const url = URL.canParse(text) ? new URL(text) : null
  return url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}${url.pathname}`
}
