/**
 * local-files on a disk that is full at any step of a put: no partial files, and uploads work again once there is room.
 */
import { randomBytes } from 'node:crypto'
import { statfsSync } from 'node:fs'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openFileStore } from '#core/testing'
import { aKey, contentOf, keysOf, MIB, put } from '#core/testing/file-store/blobs'
import localFiles from '#plugins/local-files/index'
import { needs } from '#test/needs'
import { mountSmallDisk, type SmallDisk } from '#test/small-disk'

const DISK = 16 * MIB
const INODES = 64
const SIZE = 4 * MIB

describe('local-files on a disk of 16 MiB', needs('mount'), () => {
  let disk: SmallDisk
  let dataDir: string
  beforeEach(() => {
    disk = mountSmallDisk(DISK, INODES)
    dataDir = disk.folder
  })
  afterEach(() => disk.unmount())

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
    ['no byte is left', () => fillBytes(0)],
    ['the disk fills up with the first bytes', () => fillBytes(4096)],
    ['the disk fills up in the middle', () => fillBytes(SIZE / 2)],
    ['the disk fills up with the last bytes', () => fillBytes(SIZE - 4096)],
    ['no file can be created', () => fillInodes(0)],
    ['no folder can be created', () => fillInodes(1)],
  ])('REL-10: put leaves nothing behind when %s', async (_, fill) => {
    const { files } = await open()
    const [kept, refused] = twoKeys()
    await put(files, kept, Buffer.from('kept ☃'))
    await fill()
    await expect(put(files, refused, randomBytes(SIZE))).rejects.toMatchObject({ code: 'file.no_space' })
    // Replacing needs no new folder.
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

  /** Blobs whose keys start alike share a folder; these two do not. */
  function twoKeys(): [string, string] {
    return [`aa${aKey().slice(2)}`, `bb${aKey().slice(2)}`]
  }

  test('SEC-37: get and delete work on a full disk', async () => {
    const { files } = await open()
    const key = aKey()
    await put(files, key, Buffer.from('kept ☃'))
    await fillBytes(0)
    await files.ping()
    expect(`${await contentOf(files, key)}`).toBe('kept ☃')
    await files.delete(key)
  })

  test('SEC-37: put is refused below the reserve and works again above it', async () => {
    const { files } = await open(8 * MIB)
    await fillBytes(8 * MIB - 4096)
    const key = aKey()
    const cause = { hint: expect.stringContaining('local-files.minFreeBytes') }
    await expect(put(files, key, Buffer.from('☃'))).rejects.toMatchObject({ code: 'file.no_space', cause })
    await rm(filler())
    await put(files, key, Buffer.from('☃'))
    await files.delete(key)
  })

  test('the reserve is 1 GiB by default', async () => {
    const { files } = await openFileStore(localFiles, { dataDir, options: { minFreeBytes: '' } })
    await expect(put(files, aKey(), Buffer.from('☃'))).rejects.toMatchObject({ code: 'file.no_space' })
  })
})
