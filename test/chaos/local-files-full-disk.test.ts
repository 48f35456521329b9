/** A disk of 16 MiB that is full at each step of a put. Whatever the step: nothing half-written, and room again is enough. */

import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmdirSync, statfsSync } from 'node:fs'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openFileStore } from '#core/testing'
import { aKey, contentOf, keysOf, MIB, put } from '#core/testing/file-store/blobs'
import localFiles from '#plugins/local-files/index'
import { needs } from '#test/needs'

const DISK = 16 * MIB
const INODES = 64
const SIZE = 4 * MIB

describe('on a disk of 16 MiB', needs('mount'), () => {
  let dataDir: string
  beforeAll(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'mayfly-full-'))
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK},nr_inodes=${INODES}`, 'tmpfs', dataDir])
  })
  afterAll(() => {
    execFileSync('umount', [dataDir])
    rmdirSync(dataDir)
  })

  const open = (minFreeBytes = 0) => openFileStore(localFiles, { dataDir, options: { minFreeBytes } })
  const filler = () => join(dataDir, 'filler')
  const fillBytes = async (left: number) => {
    const { bavail, bsize } = statfsSync(dataDir)
    await writeFile(filler(), Buffer.alloc(bavail * bsize - left))
  }
  const fillInodes = async (left: number) => {
    await mkdir(filler())
    const { ffree } = statfsSync(dataDir)
    for (let index = left; index < ffree; index++) await writeFile(join(filler(), `${index}`), '')
  }

  test.each([
    ['there is no byte left', () => fillBytes(0)],
    ['it fills up with the first bytes', () => fillBytes(4096)],
    ['it fills up in the middle', () => fillBytes(SIZE / 2)],
    ['it fills up with the last bytes', () => fillBytes(SIZE - 4096)],
    ['no file can be made', () => fillInodes(0)],
    ['no folder can be made', () => fillInodes(1)],
  ])('%s', async (_, fill) => {
    const { files } = await open()
    const [kept, refused] = [aKey(), aKey()]
    await put(files, kept, Buffer.from('kept ☃'))
    await fill()
    await expect(put(files, refused, randomBytes(SIZE))).rejects.toMatchObject({ code: 'file.no_space' })
    // Where a new folder is what there is no room for, replacing still works.
    const isReplaced = await put(files, kept, randomBytes(SIZE)).then(
      () => true,
      (error) => {
        expect(error).toMatchObject({ code: 'file.no_space' })
        return false
      },
    )
    expect((await contentOf(files, kept)).length).toBe(isReplaced ? SIZE : Buffer.from('kept ☃').length)
    expect(await readdir(join(files.location as string, 'tmp'))).toEqual([])
    await expect(files.get(refused)).rejects.toMatchObject({ code: 'file.not_found' })
    expect(await keysOf(files)).toEqual([kept])
    await rm(filler(), { recursive: true })
    await put(files, refused, Buffer.alloc(SIZE, 'é'))
    expect((await contentOf(files, refused)).length).toBe(SIZE)
    for (const key of [kept, refused]) await files.delete(key)
    expect(await keysOf(files)).toEqual([])
  })

  test('reading and deleting need no room', async () => {
    const { files } = await open()
    const key = aKey()
    await put(files, key, Buffer.from('kept ☃'))
    await fillBytes(0)
    await files.ping()
    expect(`${await contentOf(files, key)}`).toBe('kept ☃')
    await files.delete(key)
    await rm(filler())
  })

  test('uploads are refused before the disk is full, and again taken when there is room', async () => {
    const { files } = await open(8 * MIB)
    await fillBytes(8 * MIB - 4096)
    const key = aKey()
    await expect(put(files, key, Buffer.from('☃'))).rejects.toMatchObject({ code: 'file.no_space' })
    await rm(filler())
    await put(files, key, Buffer.from('☃'))
    await files.delete(key)
  })

  test('unless told otherwise it leaves a gibibyte', async () => {
    const { files } = await openFileStore(localFiles, { dataDir, options: { minFreeBytes: '' } })
    await expect(put(files, aKey(), Buffer.from('☃'))).rejects.toMatchObject({ code: 'file.no_space' })
  })
})
