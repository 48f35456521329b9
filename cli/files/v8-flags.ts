/** V8 flags that limit the memory of transfers. */
import { setFlagsFromString } from 'node:v8'
import type { Io } from '../output/io.js'

/**
 * Keeps V8's young generation at its initial size. File chunks live outside the heap and are freed with small heap objects; with
 * the default growth to 32 MB they are freed late, and a transfer peaks 20 to 40 MB higher. Call it before heavy imports.
 */
export function limitSemiSpace({ ownsProcess }: Io): void {
  if (ownsProcess) setFlagsFromString('--semi-space-growth-factor=1')
}
