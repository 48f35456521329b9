import { expect, test } from 'vitest'
import { newLookupId } from './build-secret.js'

test('2,000 new ids are different, have 22 characters, and start with a letter or a digit', () => {
  const ids = Array.from({ length: 2000 }, newLookupId)
  expect(ids.filter((id) => !/^[A-Za-z0-9][\w-]{21}$/.test(id))).toEqual([])
  expect(new Set(ids).size).toBe(2000)
})
