import { expect, test } from 'vitest'
import type { AppContext } from '../lib/state.js'
import { serveDocument } from './serve-document.js'

test('a document is created at the first request, and later requests get the same bytes', () => {
  let created = 0
  let stringified = 0
  const send = serveDocument(() => {
    created++
    return { toJSON: () => ({ title: 'Schlüssel ☃', stringified: ++stringified }) }
  })
  expect(created).toBe(0)
  const bodies = Array.from({ length: 3 }, () => {
    const ctx = {} as AppContext
    send(ctx)
    expect(ctx.type).toBe('application/json')
    return ctx.body as Buffer
  })
  expect({ created, stringified }).toEqual({ created: 1, stringified: 1 })
  expect(bodies.map(String)).toEqual(Array(3).fill('{"title":"Schlüssel ☃","stringified":1}'))
  // Not converted to bytes again either.
  expect(new Set(bodies).size).toBe(1)
})
