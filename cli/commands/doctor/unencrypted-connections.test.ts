import { expect, test } from 'vitest'
import { openPlugin } from '#core/testing/lib/open-plugin'
import { memory } from '#test/memory-plugin'
import type { InstanceConfig } from '../../instance/instance-config.js'
import type { CheckResult } from './check-result.js'
import { checkDatabase } from './database-checks.js'
import { checkFiles } from './file-checks.js'

const settings = { storage: 'memory', files: 'memory', dataDir: '/', instanceBytes: null }
const config = { settings, plugins: [] } as unknown as InstanceConfig

const connectionOf = (results: CheckResult[]) => results.filter(({ check }) => check === 'connection')

test.each([
  [true, [{ level: 'warn', message: 'not encrypted' }]],
  [false, []],
  [undefined, []],
])('doctor reports the connections of a database and a file store with isUnencrypted %s', async (given, expected) => {
  const { storage, files = null, close } = await openPlugin(memory)
  if (!storage || !files) throw new Error('the fixture "memory" has no storage or no file store')
  const isUnencrypted = given === undefined ? {} : { isUnencrypted: given }
  const ofDatabase = connectionOf(await checkDatabase(config, { ...storage, ...isUnencrypted }, null))
  const ofFiles = connectionOf(await checkFiles(config, storage, { ...files, ...isUnencrypted }))
  await close()
  expect(ofDatabase).toMatchObject(expected.map((finding) => ({ ...finding, section: 'database' })))
  expect(ofFiles).toMatchObject(expected.map((finding) => ({ ...finding, section: 'files' })))
  for (const { fix } of ofDatabase) expect(fix).toContain('docs/databases.md')
  for (const { fix } of ofFiles) expect(fix).toContain('docs/file-stores.md')
})
