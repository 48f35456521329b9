/** Faults that the fuzzer has to find: the test of the fuzzer itself. */
import type { FuzzTarget } from '../target.js'

/** A fault behind three bytes, which random bytes meet once in 16 million runs without coverage. */
const crash: FuzzTarget = {
  tokens: ['{}'],
  run(bytes) {
    if (bytes[0] !== 0x4d) return
    if (bytes[1] !== 0x61) return
    if (bytes[2] === 0x79) throw new Error('planted')
  },
}

const hang: FuzzTarget = {
  tokens: ['{}'],
  run(bytes) {
    // Without the processor.
    if (bytes[0] === 0x21) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  },
}

export const PLANTED: Record<string, FuzzTarget> = { crash, hang }
