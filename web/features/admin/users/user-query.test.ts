import { expect, test } from 'vitest'
import { formatUserQuery, parseUserQuery } from '../user-query.js'

const wanted = (query: string) => parseUserQuery(new URLSearchParams(query))

test.each([
  ['', { search: '', role: '', skip: 0, take: 10 }],
  ['search=bob&role=admin&skip=20&take=25', { search: 'bob', role: 'admin', skip: 20, take: 25 }],
  ['role=boss&skip=-1&take=7', { search: '', role: '', skip: 0, take: 10 }],
  ['skip=1e9&search=a%00b', { search: 'ab', role: '', skip: 0, take: 10 }],
])('parseUserQuery reads ?%s', (query, expected) => {
  expect(wanted(query)).toEqual(expected)
})

test.each(['', 'search=bob', 'search=a%26b+c&role=user&skip=10&take=25'])(
  'formatUserQuery writes ?%s as it was read',
  (query) => {
    expect(formatUserQuery(wanted(query))).toBe(`?${query}`)
  },
)
