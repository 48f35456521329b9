/**
 * `doctor` on an instance with a database server: silent if it is sound, and one finding with its fix for each planted
 * fault.
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DatabaseServer, startDatabaseServer } from '#test/database-server'
import { needs } from '#test/needs'
import { copyInstance, diagnose, expectFinding, FAULTS, type Instance, makeSoundInstanceOn } from '#test/planted-faults'
import { SERVER_FAULTS } from '#test/server-faults'

const SERVERS = ['postgres', 'mysql'] as const
const NEEDED = { postgres: ['pgbouncer'], mysql: ['mariadbServer'] } as const

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'mayfly-faults-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))

for (const engine of SERVERS)
  describe(`on ${engine}`, needs(engine), () => {
    let sound: Instance
    beforeAll(async () => {
      sound = await makeSoundInstanceOn(engine, root)
    })
    afterAll(() => sound.drop())

    test('doctor is silent on a sound instance', async () => {
      expect(await diagnose(sound)).toEqual({ bad: [], stderr: '', code: 0 })
    })

    // Each on one of the servers, because no database has to do with them.
    const outside = FAULTS.filter(({ isInDatabase }) => !isInDatabase)
    const inFolder = outside.filter((_, at) => at % SERVERS.length === SERVERS.indexOf(engine))
    test.each(inFolder)('REL-25: doctor finds: $name', async (fault) =>
      expectFinding(await copyInstance(sound, root), fault),
    )

    describe('with a user or a server that does not accept writes', needs(...NEEDED[engine]), () => {
      let server: DatabaseServer | undefined
      beforeAll(async () => {
        // Some faults are settings of the whole server.
        server = engine === 'mysql' ? await startDatabaseServer(engine) : undefined
      }, 120_000)
      afterAll(() => server?.end())

      test.each(SERVER_FAULTS[engine])('REL-25: doctor finds: $name', async (fault) => {
        const instance = await makeSoundInstanceOn(engine, root, server?.url)
        await expectFinding(instance, fault)
        await instance.drop()
      })
    })

    const inDatabase = FAULTS.filter(({ isInDatabase }) => isInDatabase)
    test.each(inDatabase)('REL-25: doctor finds: $name', async (fault) => {
      const instance = await makeSoundInstanceOn(engine, root)
      await expectFinding(instance, fault)
      await instance.drop()
    })
  })
