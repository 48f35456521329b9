import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TestSpecification, Vitest } from 'vitest/node'
import { LONG_FILES, LongestFirst } from './longest-first.js'
import { ROOT } from './source-files.js'

test('every long file exists', () => {
  expect(LONG_FILES.filter((name) => !existsSync(join(ROOT, `${name}.test.ts`)))).toEqual([])
})

test('long files start first in their tier, and larger ones before smaller ones', async () => {
  const sizes = { small: 1, large: 2, 'test/chaos/delivery': 1, 'test/chaos/event-crash': 0 }
  const getFileStats = (key: string) => ({ size: sizes[key.replace(/^.*:|\.test\.ts$/g, '') as 'small'] })
  const cache = { getFileTestResults: () => undefined, getFileStats }
  const sequencer = new LongestFirst({ config: { root: '/root' }, cache } as unknown as Vitest)
  const files = ['fast', 'chaos'].flatMap((tier) => Object.keys(sizes).map((name) => specification(tier, name)))
  const sorted = (await sequencer.sort(files)).map(({ project, moduleId }) => `${project.name} ${moduleId}`)
  expect(sorted).toEqual(
    ['chaos', 'fast'].flatMap((tier) =>
      ['test/chaos/event-crash', 'test/chaos/delivery', 'large', 'small'].map(
        (name) => `${tier} /root/${name}.test.ts`,
      ),
    ),
  )
})

function specification(name: string, path: string): TestSpecification {
  const project = { name, config: { isolate: true, sequence: { groupOrder: 0 } } }
  return { project, moduleId: `/root/${path}.test.ts` } as unknown as TestSpecification
}
