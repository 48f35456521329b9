import { expect, test } from 'vitest'
import { type Problems, remainingProblems } from './validate-draft.js'

const SHOWN: Problems = { text: { problem: 'empty' }, ttl: { problem: 'out-of-range' } }

test('remainingProblems drops what a change has solved, and adds nothing', () => {
  const found: Problems = { ttl: { problem: 'out-of-range' }, title: { problem: 'not-a-line' } }
  expect(remainingProblems(SHOWN, found)).toEqual({ ttl: { problem: 'out-of-range' } })
  expect(remainingProblems(SHOWN, {})).toEqual({})
})

test('remainingProblems returns the same object when every problem remains', () => {
  expect(remainingProblems(SHOWN, SHOWN)).toBe(SHOWN)
})
