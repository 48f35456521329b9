import { chmod, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFolder } from './create-folder.js'

let base: string
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'mayfly-folder-'))
})
afterAll(() => rm(base, { recursive: true }))

const modeOf = async (path: string) => (await stat(path)).mode & 0o777

test('createFolder creates the folder and its parents with mode 0700, also at the same time', async () => {
  const path = join(base, 'eins', 'zwei', 'drei ☃')
  await Promise.all([createFolder(path), createFolder(path), createFolder(path)])
  expect(await modeOf(path)).toBe(0o700)
  expect(await modeOf(join(base, 'eins'))).toBe(0o700)
  await createFolder(join(base, 'open'), 0o755)
  expect(await modeOf(join(base, 'open'))).toBe(0o755)
})

test('createFolder keeps the mode of an existing folder, and follows a symbolic link', async () => {
  const path = join(base, 'there')
  await mkdir(path)
  await chmod(path, 0o750)
  await symlink(path, join(base, 'link'))
  await createFolder(path)
  await createFolder(join(base, 'link', 'below'))
  expect(await modeOf(path)).toBe(0o750)
  expect(await modeOf(join(path, 'below'))).toBe(0o700)
})

test('createFolder rejects with an error that names the folder', async () => {
  const file = join(base, 'file')
  await writeFile(file, '')
  await expect(createFolder(file)).rejects.toMatchObject({ code: 'EEXIST', path: file })
  await expect(createFolder(join(file, 'below'))).rejects.toMatchObject({ code: 'ENOTDIR', path: join(file, 'below') })
})

test.runIf(process.platform === 'linux')('createFolder ends where /proc refuses a new folder', async () => {
  await expect(createFolder('/proc/mayfly/data')).rejects.toMatchObject({ code: 'ENOENT', path: '/proc/mayfly' })
})
