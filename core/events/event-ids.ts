/** Ids of durable events. */
import { randomBytes } from 'node:crypto'

/** Returns a function that creates an id from a time in epoch ms. Ids sort in the order of creation, also within a millisecond. */
export function createEventIds(): (at: number) => string {
  let count = 0
  const digits = (value: number, length: number) => value.toString(36).padStart(length, '0').slice(-length)
  return (at) => `evt_${digits(at, 9)}${digits(count++, 4)}${randomBytes(8).toString('hex')}`
}
