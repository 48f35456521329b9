/** Uploads and downloads when the server is killed or the user presses Ctrl-C. */

import { randomBytes } from 'node:crypto'
import { appendFile, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { needs } from '#test/needs'
import { run } from '#test/run-cli'
import { terminal } from '#test/spawn-cli'
import { type RunningServer, startServer } from '#test/start-server'
import {
  createTransferFile,
  FILE_BYTES,
  hashDownload,
  IN_FLIGHT,
  PARTS,
  TRANSFER_SETTINGS,
  type TransferFile,
  uploadFile,
} from '#test/transfers'

const CTRL_C = '\x03'

const SETTINGS = { MAYFLY_PLUGINS: ',', MAYFLY_FILES: 'local-files', ...TRANSFER_SETTINGS }
let file: TransferFile
let server: RunningServer
/** Of the server. */
let dataDir: string
beforeAll(async () => {
  file = await createTransferFile()
  dataDir = join(file.folder, 'data')
  await mkdir(dataDir)
  server = await startServer({ dataDir, env: { ...SETTINGS, MAYFLY_CLEANUP_SECONDS: '1' } })
})
afterAll(async () => {
  await server?.stop()
  await file?.remove()
})

const putsIn = (log: string) =>
  log.match(/"method":"PUT","route":"\/api\/v1\/files\/:id\/:index","status":204/g)?.length ?? 0

test('an upload continues after the server was killed and restarted', async () => {
  const dataDir = join(file.folder, 'killed')
  await mkdir(dataDir)
  const first = await startServer({ dataDir, env: SETTINGS })
  const sending = run(['secret', 'create', '-f', file.path, '-s', first.url])
  await first.logged(/"method":"PUT".*"status":204/)
  await first.kill()
  const second = await startServer({ dataDir, env: SETTINGS, args: ['--port', String(first.port)] })
  const { stdout, stderr, code } = await sending
  expect(stderr).toContain('warning: connection lost')
  expect(code).toBe(0)
  expect(putsIn(first.log())).toBeGreaterThan(0)
  expect(putsIn(second.log())).toBeGreaterThan(0)
  expect(putsIn(first.log()) + putsIn(second.log())).toBeLessThanOrEqual(PARTS + IN_FLIGHT)
  expect(await hashDownload(stdout.toString())).toBe(file.sha256)
  await second.stop()
})

describe('Ctrl-C', needs('script'), () => {
  test.each([
    ['a file', (path: string) => `mayfly secret create -f '${path}' -o link`],
    ['a pipe', (path: string) => `cat '${path}' | mayfly secret create -f - -o link`],
  ])('during an upload of %s exits with 130 and leaves nothing on client and server', async (_, line) => {
    const cwd = join(file.folder, 'empty')
    await mkdir(cwd, { recursive: true })
    const large = join(file.folder, 'large')
    await writeFile(large, randomBytes(2 * FILE_BYTES))
    const before = server.log().length
    const log = () => server.log().slice(before)
    const tty = terminal(line(large), { env: { MAYFLY_SERVER: server.url, TMPDIR: cwd }, cwd })
    await tty.sees(/Encrypting and sending {2}[1-9]/)
    expect((await readdir(join(dataDir, 'files'))).length).toBeGreaterThan(0)
    tty.types(CTRL_C)
    await tty.sees(/error:.* interrupted/)
    expect(await tty.ended).toBe(130)
    expect(log()).toMatch(/"method":"DELETE","route":"\/api\/v1\/files\/:id","status":204/)
    expect(log()).not.toContain('"route":"/api/v1/secret"')
    await vi.waitFor(async () => expect(await blobsIn(dataDir)).toEqual([]), { timeout: 10_000 })
    expect(await readdir(cwd)).toEqual([])
  })

  test('during a download exits with 130 and leaves no partial file', async () => {
    const cwd = join(file.folder, 'reading')
    await mkdir(cwd)
    const tty = terminal(`mayfly secret read '${await uploadFile(file.path, server.url)}' --yes`, { cwd })
    await tty.sees(/Receiving and decrypting {2}[1-9]/)
    expect(await readdir(cwd)).toHaveLength(1)
    tty.types(CTRL_C)
    expect(await tty.ended).toBe(130)
    expect(await readdir(cwd)).toEqual([])
  })
})

test('secret read exits with 9 and saves nothing when the server has a damaged, longer file', async () => {
  const cwd = join(file.folder, 'inbox')
  await mkdir(cwd)
  const others = (await blobsIn(dataDir)).map(({ name }) => name)
  const link = await uploadFile(file.path, server.url)
  const blob = (await blobsIn(dataDir)).find(({ name }) => !others.includes(name))
  await appendFile(join(blob?.parentPath ?? '', blob?.name ?? ''), 'ä')
  const started = Date.now()
  const { stderr, code } = await run(['secret', 'read', '-', '--out-dir', cwd], { stdin: link })
  expect({ stderr, code }).toEqual({ stderr: expect.stringContaining('the file is damaged on the server\n'), code: 9 })
  expect(Date.now() - started).toBeLessThan(30_000)
  expect(await readdir(cwd)).toEqual([])
})

const blobsIn = async (dataDir: string) =>
  (await readdir(join(dataDir, 'files'), { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
