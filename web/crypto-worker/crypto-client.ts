/** Encrypts and decrypts texts in one worker. */
import { createWorkerClient } from './rpc-client.js'
import type { CryptoJobs } from './worker.js'

export { JobError } from './rpc-client.js'

const worker = createWorkerClient<CryptoJobs>('crypto')

export const { warmUp: startCryptoWorker } = worker

export const cryptoWorker = {
  keys: (...args: Parameters<CryptoJobs['keys']>) => worker.run('keys', args),
  seal: (...args: Parameters<CryptoJobs['seal']>) => worker.run('seal', args),
  open: (...args: Parameters<CryptoJobs['open']>) => worker.run('open', args),
}
