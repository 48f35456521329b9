/** `doctor` on an instance with a database server: silent if it is sound, and one finding with its fix for each planted fault. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { needs } from '#test/needs'
import { copyInstance, diagnose, expectFinding, FAULTS, type Instance, makeSoundInstanceOn } from '#test/planted-faults'

const SERVERS = ['postgres', 'mysql'] as const

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

    const inFolder = FAULTS.filter(({ isInDatabase }) => !isInDatabase)
    test.each(inFolder)('doctor finds: $name', async (fault) => expectFinding(await copyInstance(sound, root), fault))

    const inDatabase = FAULTS.filter(({ isInDatabase }) => isInDatabase)
    test.each(inDatabase)('doctor finds: $name', async (fault) => {
      const instance = await makeSoundInstanceOn(engine, root)
      await expectFinding(instance, fault)
      await instance.drop()
    })
  })
