/** Files of any size in little memory. */
import { setFlagsFromString } from 'node:v8'
import type { Io } from '../output/io.js'

/**
 * Bytes of files are outside of V8's heap and hang on young objects in it. V8 lets the room for these grow to 32 MB and then
 * frees late; kept as it is at the start, a transfer peaks 20 to 40 MB lower. To be called before anything heavy is loaded.
 */
export function limitSemiSpace({ ownsProcess }: Io): void {
  if (ownsProcess) setFlagsFromString('--semi-space-growth-factor=1')
}
