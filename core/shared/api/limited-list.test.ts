import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { limitedList } from './limited-list.js'

const isSnow = vi.fn((text: string) => text.includes('☃'))
const list = limitedList(z.string().refine(isSnow), { min: 1, max: 3 })

test('SEC-07: elements of a list that is too long are not validated', () => {
  isSnow.mockClear()
  const { error } = list.safeParse(Array(4).fill('☃'))
  expect(error?.issues).toEqual([expect.objectContaining({ code: 'too_big', maximum: 3, path: [] })])
  expect(isSnow).not.toHaveBeenCalled()
})

test('a list within the limits is validated like other lists', () => {
  expect(list.parse(['☃', 'a ☃'])).toEqual(['☃', 'a ☃'])
  for (const value of [[], ['☃', 'rain'], '☃', null, { length: 2 }]) expect(list.safeParse(value).success).toBe(false)
})

test('the API document shows the limits', () => {
  expect(z.toJSONSchema(list, { io: 'input' })).toMatchObject({ type: 'array', minItems: 1, maxItems: 3 })
})
