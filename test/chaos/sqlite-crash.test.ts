/** Remains of a killed process in the database files. */
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aSecret, T0 } from '#core/testing'
import { makeSqliteDatabase, type TestDatabase } from '#test/databases'
import { buildWorker, startProcesses } from '#test/processes'
import { SQLITE_DRIVERS } from '#test/sqlite-drivers'

describe.each(SQLITE_DRIVERS)('with %s', (driver) => {
  let worker: Awaited<ReturnType<typeof buildWorker>>
  let database: TestDatabase
  beforeAll(async () => {
    worker = await buildWorker('sqlite')
    database = await makeSqliteDatabase(driver)
  })
  afterAll(async () => {
    await database.drop()
    await worker.remove()
  })

  test('the first scrub wipes a burned text that a killed process had not scrubbed', async () => {
    const process = await startProcesses(worker.file, database, 1)
    await process.openAll()
    const kept = aSecret({ text: 'not burned' })
    const burned = aSecret({ text: 'burned, but not scrubbed' })
    await process.run(0, [
      ['secrets.create', { secret: kept, now: T0 }],
      ['secrets.create', { secret: burned, now: T0 }],
    ])
    await process.run(0, [['secrets.burn', { id: burned.id, now: T0 }]])
    await process.killAll()
    expect(await remains(burned.text)).toBe(true)

    const { storage, close } = await database.open()
    expect(await storage.scrub()).toBe(true)
    expect(await remains(burned.text)).toBe(false)
    expect(await remains(kept.text)).toBe(true)
    const [{ integrity_check: integrity }] = await database.db.raw('PRAGMA integrity_check')
    expect(integrity).toBe('ok')
    await close()
  })

  async function remains(text: string): Promise<boolean> {
    const { file } = database.options
    const files = await Promise.all([file, `${file}-wal`].map((name) => readFile(name as string, 'latin1')))
    return files.some((content) => content.includes(text))
  }
})
