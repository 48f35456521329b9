/** Sealing and opening texts, in one worker. */
import { openDesk } from './rpc-client.js'
import type { SealingJobs } from './worker.js'

export { JobError } from './rpc-client.js'

const desk = openDesk<SealingJobs>('sealing')

export const { warmUp } = desk

export const sealing = {
  keys: (...args: Parameters<SealingJobs['keys']>) => desk.run('keys', args),
  seal: (...args: Parameters<SealingJobs['seal']>) => desk.run('seal', args),
  open: (...args: Parameters<SealingJobs['open']>) => desk.run('open', args),
}
