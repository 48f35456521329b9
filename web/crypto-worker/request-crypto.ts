/** Creates, answers and collects secret requests in one worker. */
import type { RequestJobs } from './request-worker.js'
import { createWorkerClient } from './rpc-client.js'

const worker = createWorkerClient<RequestJobs>('requests')

export const { warmUp: startRequestWorker } = worker

export const requestCrypto = {
  create: (...args: Parameters<RequestJobs['create']>) => worker.run('create', args),
  submitProof: (...args: Parameters<RequestJobs['submitProof']>) => worker.run('submitProof', args),
  readRequest: (...args: Parameters<RequestJobs['readRequest']>) => worker.run('readRequest', args),
  seal: (...args: Parameters<RequestJobs['seal']>) => worker.run('seal', args),
  collectProof: (...args: Parameters<RequestJobs['collectProof']>) => worker.run('collectProof', args),
  readNote: (...args: Parameters<RequestJobs['readNote']>) => worker.run('readNote', args),
  open: (...args: Parameters<RequestJobs['open']>) => worker.run('open', args),
}
