import { expect, test } from 'vitest'
import { anEvent, T0 } from '#core/testing'
import { toEvents, toNewEventRows } from './new-events.js'

const roundTrip = (events: Parameters<typeof toNewEventRows>[0]) => toNewEventRows(events).flatMap(toEvents)

test('events return from their rows as they were, in their order', () => {
  const events = [
    anEvent({ subject: 'a', subscriber: 'eins', data: '{"ä":"\\u0000\\"☃"}' }),
    anEvent({ subject: 'a', subscriber: 'zwei', data: '{"ä":"\\u0000\\"☃"}' }),
    anEvent({ subject: 'a', subscriber: 'eins', createdAt: T0 + 1 }),
    anEvent({ subject: 'a', subscriber: 'eins', createdAt: T0 + 1, type: 'secret.viewed' }),
    anEvent({ subject: 'b' }),
    anEvent({ subject: 'a' }),
  ]
  expect(roundTrip(events)).toEqual(events)
  expect(toNewEventRows(events)).toHaveLength(3)
  expect(toNewEventRows([])).toEqual([])
})

test('a row of a view with three subscribers is shorter than its events', () => {
  const events = ['secret.viewed', 'secret.burned'].flatMap((type) =>
    ['webhook.a', 'webhook.b', 'webhook.c'].map((subscriber) =>
      anEvent({ subject: 'secret:a', subscriber, type: type as 'secret.viewed' }),
    ),
  )
  const [row] = toNewEventRows(events)
  expect(row?.events.length).toBeLessThan(JSON.stringify(events).length / 2)
})
