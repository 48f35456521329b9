/**
 * The inputs that the fuzzer found: each runs other code of a parser, or violated a property once. `npm run fuzz` looks
 * for more.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '#test/source-files'
import { readCorpus } from './corpus.js'
import { fromBinary } from './target.js'
import { PLANTED, TARGETS } from './targets/index.js'

test.each(Object.entries(TARGETS))('no input of the corpus violates a property of %s', async (name, target) => {
  const inputs = readCorpus(ROOT, name)
  expect(inputs.length).toBeGreaterThan(3)
  for (const input of inputs) await target.run(fromBinary(input))
})

test('every file of the corpus belongs to a parser', () => {
  const names = readdirSync(join(ROOT, 'test/fuzz/corpus')).map((name) => name.replace(/\.ndjson$/, ''))
  expect(names.sort()).toEqual(Object.keys(TARGETS).sort())
})

test('a violated property fails the run of an input', () => {
  expect(() => PLANTED.crash?.run(fromBinary('May'))).toThrow('planted')
})
