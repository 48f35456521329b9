/** Sealing and opening texts, in one worker. */
import { openDesk } from './desk.js'
import type { Jobs } from './worker.js'

export { JobError } from './desk.js'

const desk = openDesk()

export const { warmUp } = desk

export const sealing = {
  keys: (...args: Parameters<Jobs['keys']>) => desk.run('keys', args),
  seal: (...args: Parameters<Jobs['seal']>) => desk.run('seal', args),
  open: (...args: Parameters<Jobs['open']>) => desk.run('open', args),
}
