import { expect, test } from 'vitest'
import { formatSecretFilter, parseSecretFilter, SECRET_FILTERS, toEndedState } from './secret-query.js'

test('a filter in the URL is read as it was written, and an unknown one means live secrets', () => {
  for (const filter of SECRET_FILTERS)
    expect(parseSecretFilter(new URLSearchParams(`?${formatSecretFilter(filter)}skip=50`))).toBe(filter)
  for (const query of ['', '?state=', '?state=öffen', '?skip=50'])
    expect(parseSecretFilter(new URLSearchParams(query))).toBe('live')
})

test('the API gets a state for one kind of end only', () => {
  expect(SECRET_FILTERS.map(toEndedState)).toEqual([undefined, undefined, 'used-up', 'burned', 'expired'])
})
