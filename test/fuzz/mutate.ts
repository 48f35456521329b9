/** Random changes of an input. */
import { fromBinary } from './target.js'

/** Returns integers from 0 to below `below`. */
export type Random = (below: number) => number

/** Inputs stay small, so that many run in a second. */
const LENGTH_MAX = 4096
const CHANGES_MAX = 4
const NUMBERS = [
  '0',
  '-1',
  '1',
  '16',
  '127',
  '128',
  '255',
  '256',
  '4096',
  '65536',
  '2147483648',
  '9007199254740993',
  '1e309',
]
const BYTES = [0x00, 0x09, 0x0a, 0x0d, 0x20, 0x22, 0x2d, 0x2f, 0x7f, 0x80, 0xc3, 0xe2, 0xff]

/** mulberry32: repeatable, and good enough for this. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/** `tokens`: pieces that are inserted. `corpus`: other inputs, of which pieces are inserted. */
export function mutate(input: Uint8Array, tokens: Buffer[], corpus: Uint8Array[], random: Random): Buffer<ArrayBuffer> {
  let bytes = Buffer.from(input)
  for (let change = random(CHANGES_MAX) + 1; change > 0; change--) {
    const operation = OPERATIONS[random(OPERATIONS.length)] as Operation
    bytes = operation(bytes, { tokens, corpus, random }).subarray(0, LENGTH_MAX)
  }
  return bytes
}

interface Sources {
  tokens: Buffer[]
  corpus: Uint8Array[]
  random: Random
}

type Operation = (bytes: Buffer<ArrayBuffer>, sources: Sources) => Buffer<ArrayBuffer>

const OPERATIONS: Operation[] = [
  (bytes, { random }) => setByte(bytes, random, (byte) => byte ^ (1 << random(8))),
  (bytes, { random }) => setByte(bytes, random, () => BYTES[random(BYTES.length)] as number),
  (bytes, { random }) => setByte(bytes, random, () => random(256)),
  (bytes, { random }) => splice(bytes, random(bytes.length + 1), 1 + random(8), Buffer.alloc(0)),
  (bytes, { random }) => splice(bytes, random(bytes.length + 1), random(bytes.length + 1), Buffer.alloc(0)),
  (bytes, { tokens, random }) => insert(bytes, random, tokens[random(tokens.length)] ?? bytes),
  (bytes, { tokens, random }) => overwrite(bytes, random, tokens[random(tokens.length)] ?? bytes),
  (bytes, { corpus, random }) => insert(bytes, random, pieceOf(corpus[random(corpus.length)] ?? bytes, random)),
  (bytes, { random }) => insert(bytes, random, pieceOf(bytes, random)),
  (bytes, { random }) => replaceNumber(bytes, random),
]

function setByte(bytes: Buffer<ArrayBuffer>, random: Random, change: (byte: number) => number): Buffer<ArrayBuffer> {
  const at = random(bytes.length + 1)
  if (at < bytes.length) bytes[at] = change(bytes[at] as number)
  return bytes
}

const splice = (bytes: Buffer<ArrayBuffer>, at: number, removed: number, added: Uint8Array): Buffer<ArrayBuffer> =>
  Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at + removed)])

const insert = (bytes: Buffer<ArrayBuffer>, random: Random, added: Uint8Array): Buffer<ArrayBuffer> =>
  splice(bytes, random(bytes.length + 1), 0, added)

const overwrite = (bytes: Buffer<ArrayBuffer>, random: Random, added: Uint8Array): Buffer<ArrayBuffer> =>
  splice(bytes, random(bytes.length + 1), added.length, added)

function pieceOf(bytes: Uint8Array, random: Random): Uint8Array {
  const start = random(bytes.length + 1)
  return bytes.subarray(start, start + 1 + random(64))
}

function replaceNumber(bytes: Buffer<ArrayBuffer>, random: Random): Buffer<ArrayBuffer> {
  const found = [...bytes.toString('latin1').matchAll(/\d+/g)]
  const number = found[random(found.length || 1)]
  if (!number) return bytes
  return splice(bytes, number.index, number[0].length, fromBinary(NUMBERS[random(NUMBERS.length)] as string))
}
