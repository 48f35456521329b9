/** V8 flags that limit the memory of transfers and of an idle server. */
import type { Io } from '../output/io.js'

/**
 * Keeps V8's young generation at its initial size. File chunks live outside the heap and are freed with small heap
 * objects; with the default growth to 32 MB they are freed late, and a transfer peaks 20 to 40 MB higher. The start of
 * a server would make it grow too, because most objects stay in use. Call it before heavy imports. Returns a function
 * that lets it grow again.
 */
export async function limitSemiSpace({ ownsProcess }: Io): Promise<() => void> {
  if (!ownsProcess) return () => {}
  // Loading this module takes a tenth of the time of `--help`.
  const { setFlagsFromString } = await import('node:v8')
  setFlagsFromString('--semi-space-growth-factor=1')
  return () => setFlagsFromString('--semi-space-growth-factor=2')
}
