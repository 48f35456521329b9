import { expect, test } from 'vitest'
import { options } from './redis-options.js'

test.each(['redis://127.0.0.1', 'redis://user:päss@db.internal:6380/3', 'rediss://[::1]:6379/'])(
  'the option url accepts %s',
  (url) => {
    expect(options.safeParse({ url }).success).toBe(true)
  },
)

test.each([
  '',
  'http://127.0.0.1',
  'redis://',
  'redis://host/name',
  '127.0.0.1:6379',
  'redis+sentinel://127.0.0.1:26379',
  'redis://one:6379,two:6379',
  'redis://u:12?3@host',
  'redis://u:12#3@host',
  'redis://u:12/3@host',
  'redis://u:1 2@host',
  'redis://u:%zz@host',
])('the option url refuses "%s"', (url) => {
  expect(options.safeParse({ url }).error?.issues[0]?.path).toEqual(['url'])
})

test('the option prefix refuses spaces and more than 64 characters', () => {
  for (const prefix of ['a b', 'x'.repeat(65), 'a*']) expect(options.safeParse({ prefix }).success).toBe(false)
  expect(options.parse({}).prefix).toBe('mayfly:')
})
