/** Ids of durable events. */
import { randomUUID } from 'node:crypto'
import type { EpochMs } from '../shared/epoch-ms.js'

/** 16 digits of a UUID, which costs much less than random bytes: Node.js creates 128 at once. */
const randomPart = (): string => randomUUID().slice(19).replace('-', '')

/** Returns a function that creates an id from a time. Ids sort in the order of creation, also within a millisecond. */
export function createEventIds(): (at: EpochMs) => string {
  let count = 0
  const digits = (value: number, length: number) => value.toString(36).padStart(length, '0').slice(-length)
  return (at) => `evt_${digits(at, 9)}${digits(count++, 4)}${randomPart()}`
}
