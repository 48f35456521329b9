/** Address of the S3 server of the tests. Loads nothing else, because each run starts with it. */

/** Made by .ci/s3-server; another one is named by variables. */
export const S3_SERVER = {
  endpoint: process.env.MAYFLY_TEST_S3_ENDPOINT || 'http://127.0.0.1:18080',
  accessKeyId: process.env.MAYFLY_TEST_S3_ACCESS_KEY_ID || 'test:tester',
  secretAccessKey: process.env.MAYFLY_TEST_S3_SECRET_ACCESS_KEY || 'testing-secret',
}

/** True if the S3 server responds. */
export async function hasS3Server(): Promise<boolean> {
  return fetch(S3_SERVER.endpoint).then(
    () => true,
    () => false,
  )
}
