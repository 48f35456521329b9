/**
 * The data folder of SQLite on a disk that is mounted read-only, as after an error of the disk: found by start and
 * doctor.
 */
import { execFileSync } from 'node:child_process'
import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { needs } from '#test/needs'
import { copyInstance, diagnose, type Instance, makeSoundInstance } from '#test/planted-faults'
import { run } from '#test/run-cli'
import { mountSmallDisk, type SmallDisk } from '#test/small-disk'

describe('SQLite on a read-only disk', needs('mount'), () => {
  let disk: SmallDisk
  let instance: Instance
  const mount = (mode: 'ro' | 'rw') => execFileSync('mount', ['-o', `remount,${mode}`, disk.folder])

  beforeAll(async () => {
    disk = mountSmallDisk(128 * 2 ** 20)
    await mkdir(join(disk.folder, 'root'))
    await chmod(disk.folder, 0o700)
    instance = await copyInstance(await makeSoundInstance(join(disk.folder, 'root')), disk.folder)
  })
  afterAll(() => disk.unmount())

  test('doctor and serve name the disk and what to do, and the instance is sound after that', async () => {
    const { bad: before } = await diagnose(instance)
    mount('ro')
    const { bad } = await diagnose(instance)
    const added = bad.filter(
      ({ check, section }) => !before.some((each) => each.check === check && each.section === section),
    )
    expect(added).toEqual([
      expect.objectContaining({
        section: 'database',
        check: 'start',
        level: 'fail',
        message: expect.stringContaining('the disk is mounted read-only (EROFS)'),
        fix: `mount the disk of ${join(instance.cwd, 'data')} for writing`,
      }),
    ])
    const { cwd, env } = instance
    const { stderr, code } = await run(['serve', '--port', '0'], { cwd, env })
    expect(stderr).toContain('the disk is mounted read-only (EROFS)')
    expect(stderr).toContain('hint: mount the disk of ')
    expect(code).toBe(6)
    mount('rw')
    expect((await diagnose(instance)).bad).toEqual(before)
  })
})
