import { expect, test } from 'vitest'
import { checkArrivals } from './event-receiver.js'

const TYPES = ['created', 'viewed']
const arrived = (secretId: string, ...events: string[]) =>
  events.map((event) => {
    const [type = '', id = type] = event.split('#')
    return { id: `${secretId}-${id}`, type, secretId }
  })

test('complete, ordered events have no problem, and repeated ones are counted', () => {
  const arrivals = [...arrived('ö', 'created', 'viewed', 'created'), ...arrived('b', 'created', 'viewed')]
  expect(checkArrivals(arrivals, 2, TYPES)).toEqual({ events: 4, repeated: 1, problems: [] })
})

test.each([
  ['a lost event', ['created']],
  ['an overtaken event', ['viewed', 'created']],
  ['an event with two ids', ['created#1', 'created#2', 'viewed']],
  ['an event of another type', ['created', 'burned']],
])('%s is a problem', (_, events) => {
  expect(checkArrivals(arrived('ö', ...events), 1, TYPES).problems).toHaveLength(1)
})

test('a secret without any event is a problem', () => {
  expect(checkArrivals(arrived('ö', 'created', 'viewed'), 2, TYPES).problems).toHaveLength(1)
})
