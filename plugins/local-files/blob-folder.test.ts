/** File modes, symbolic links, leftovers and unmounted disks. */
import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { FileStore } from '#core'
import { createLog } from '#core/runtime'
import { openFileStore } from '#core/testing'
import { aKey, contentOf, endlessBody, keysOf, MIB, put } from '#core/testing/file-store/blobs'
import localFiles from './index.js'

let opened: Awaited<ReturnType<typeof openFileStore>>
let files: FileStore
let root: string
let lines: string[]
const at = (key: string) => join(root, key.slice(0, 2), key)
const unavailable = { name: 'AppError', code: 'file.unavailable' }

beforeEach(async () => {
  lines = []
  const log = createLog('debug', 'json', (line) => void lines.push(line))
  opened = await openFileStore(localFiles, { options: { minFreeBytes: 0 }, log })
  files = opened.files
  root = files.location as string
})
afterEach(() => opened.close())

describe('on the disk', () => {
  test('folder is inside dataDir unless it is absolute', async () => {
    expect(root).toBe(join(opened.dataDir, 'files'))
    const folder = join(opened.dataDir, 'elsewhere ☃/deep')
    const other = await openFileStore(localFiles, { options: { folder }, dataDir: opened.dataDir })
    expect(other.files.location).toBe(folder)
  })

  test('V3.2.1: folders and files are accessible only by their owner', async () => {
    const key = aKey()
    const before = process.umask(0)
    await put(files, key, Buffer.from('☃')).finally(() => process.umask(before))
    const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)
    for (const path of [root, join(root, 'tmp'), join(root, key.slice(0, 2))]) expect(await modeOf(path)).toBe('700')
    expect(await modeOf(at(key))).toBe('600')
  })

  test('blobs survive a restart', async () => {
    const key = aKey()
    await put(files, key, Buffer.from('☃'))
    const { files: again } = await openFileStore(localFiles, { dataDir: opened.dataDir })
    expect(`${await contentOf(again, key)}`).toBe('☃')
  })

  test('put reads its body no faster than the disk writes', async () => {
    const size = 64 * MIB
    let [sent, mostAhead] = [0, 0]
    async function* watched() {
      for await (const chunk of endlessBody(size)) {
        sent += chunk.length
        const [name = ''] = await readdir(join(root, 'tmp'))
        mostAhead = Math.max(mostAhead, sent - (name ? (await stat(join(root, 'tmp', name))).size : 0))
        yield chunk
      }
    }
    await files.put(aKey(), Readable.from(watched(), { objectMode: false }), size)
    expect(sent).toBe(size)
    expect(mostAhead).toBeLessThan(MIB)
  })
})

describe('leftovers', () => {
  test('deleteUnfinished deletes only old unfinished files', async () => {
    const [old, young] = [join(root, 'tmp/old'), join(root, 'tmp/young')]
    for (const path of [old, young]) await writeFile(path, 'half of it ☃')
    await mkdir(join(root, 'tmp/a folder'))
    await utimes(old, 1000, 1000)
    await files.deleteUnfinished(2_000_000)
    expect((await readdir(join(root, 'tmp'))).sort()).toEqual(['a folder', 'young'])
  })

  test('list ignores files and folders that are not blobs', async () => {
    const key = aKey()
    await put(files, key, Buffer.from('☃'))
    const fanout = join(root, key.slice(0, 2))
    for (const name of ['README', `${key}.bak`, 'z'.repeat(32)]) await writeFile(join(fanout, name), 'not ours')
    for (const name of ['zz', 'lost+found', key]) await writeFile(join(root, name), 'not ours')
    await mkdir(join(root, 'ZZ'))
    expect(await keysOf(files)).toEqual([key])
  })
})

describe('symbolic links', () => {
  let outside: string
  const hash = () =>
    createHash('sha256')
      .update(execFileSync('ls', ['-laR', '--time-style=full-iso', outside]))
      .digest('hex')
  beforeEach(async () => {
    outside = join(opened.dataDir, 'outside')
    await mkdir(outside)
    await writeFile(join(outside, 'passwd'), 'hunter2 ☃')
  })

  test('SEC-05: blob that is a link is not read, listed or written through', async () => {
    const key = aKey()
    await mkdir(join(root, key.slice(0, 2)))
    await symlink(join(outside, 'passwd'), at(key))
    const before = hash()
    await expect(files.get(key)).rejects.toMatchObject(unavailable)
    expect(await keysOf(files)).toEqual([])
    await put(files, key, Buffer.from('mine ☃'))
    expect(`${await contentOf(files, key)}`).toBe('mine ☃')
    await symlink(join(outside, 'passwd'), `${at(key)}.link`)
    await files.delete(key)
    expect(hash()).toBe(before)
  })

  test('SEC-05: shard folder that is a link is not read, listed or written through', async () => {
    const key = aKey()
    await writeFile(join(outside, key), 'hunter2 ☃')
    await symlink(outside, join(root, key.slice(0, 2)))
    const before = hash()
    await expect(files.get(key)).rejects.toMatchObject(unavailable)
    await expect(put(files, key, Buffer.from('mine ☃'))).rejects.toMatchObject(unavailable)
    await expect(files.delete(key)).rejects.toMatchObject(unavailable)
    expect(await keysOf(files)).toEqual([])
    expect(hash()).toBe(before)
    expect(await readdir(join(root, 'tmp'))).toEqual([])
  })

  test('setup fails when tmp is a link', async () => {
    await rm(join(root, 'tmp'), { recursive: true })
    await symlink(outside, join(root, 'tmp'))
    await expect(openFileStore(localFiles, { dataDir: opened.dataDir })).rejects.toThrow()
  })

  test('get does not block on a named pipe', async () => {
    const key = aKey()
    await mkdir(join(root, key.slice(0, 2)))
    execFileSync('mkfifo', [at(key)])
    await expect(files.get(key)).rejects.toMatchObject(unavailable)
  })
})

describe('unmounted disk', () => {
  test('calls fail with file.unavailable, create nothing, and work again after the mount', async () => {
    const [key, other] = [aKey(), aKey()]
    await put(files, key, Buffer.from('☃'))
    await rename(root, `${root}.away`)
    // An empty mount point.
    await mkdir(root)
    for (const work of [
      () => files.get(key),
      () => files.delete(key),
      () => put(files, other, randomBytes(9)),
      files.ping,
    ]) {
      await expect(work()).rejects.toMatchObject(unavailable)
    }
    expect(await readdir(root)).toEqual([])
    await rm(root, { recursive: true })
    await expect(keysOf(files)).rejects.toMatchObject(unavailable)
    await rename(`${root}.away`, root)
    await files.ping()
    expect(`${await contentOf(files, key)}`).toBe('☃')
    await put(files, other, Buffer.from('☃'))
  })

  test('log names the error code but no paths', async () => {
    const key = aKey()
    await rm(root, { recursive: true })
    const error = await files.get(key).catch((each) => each)
    expect(lines.join()).toContain('ENOENT')
    expect(lines.join() + error.message).not.toContain(opened.dataDir)
    expect(lines.join() + error.message).not.toContain(key)
  })
})

test.each(['-1', '1.5', 'much', '1e3'])('minFreeBytes %j is refused', (minFreeBytes) => {
  expect(localFiles.options.safeParse({ minFreeBytes }).success).toBe(false)
})
