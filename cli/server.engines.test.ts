/** `serve` on every engine when a setting is invalid. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { makeDatabase, tablesOf } from '#test/databases'
import { testEachEngine } from '#test/for-each-engine'
import { run } from '#test/run-cli'

testEachEngine('serve creates no tables when a setting is invalid', async (engine) => {
  const cwd = await mkdtemp(join(tmpdir(), 'mayfly-serve-'))
  const database = await makeDatabase(engine)
  const env = { MAYFLY_PLUGINS: ',', ...database.env, MAYFLY_VISITOR_UPLOADS: 'yes-hunter2' }
  const { stderr, code } = await run(['serve', '--port', '0'], { env, cwd })
  expect({ code, isNamed: stderr.includes('MAYFLY_VISITOR_UPLOADS') }).toEqual({ code: 2, isNamed: true })
  expect(stderr).not.toContain('hunter2')
  expect(await tablesOf(engine, database.db)).toEqual([])
  await database.drop()
  await rm(cwd, { recursive: true, force: true })
})
