/** `config list`, and what keeps `serve` from starting. test/e2e/cli/serve.test.ts runs it. */

import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { MEMORY_ENV } from '#test/memory-plugin'
import { run, testIo } from '#test/run-cli'
import { runCli } from './run-cli.js'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayfly-serve-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const BARE = { MAYFLY_PLUGINS: ',' }

describe('config list', () => {
  test('prints settings and their origin', async () => {
    await writeFile(join(folder, 'mayfly.config.json'), JSON.stringify({ port: 8080, sqlite: { file: 'x.db' } }))
    const env = { ...BARE, MAYFLY_MAX_TEXT_BYTES: '2048' }
    const { stdout, stderr, code } = await run(['config', 'list', '--set', 'log=warn'], { env, cwd: folder })
    expect(stdout.toString()).toMatch(/^port\t8080\t\S+mayfly\.config\.json$/m)
    expect(stdout.toString()).toMatch(/^maxTextBytes\t2048\tMAYFLY_MAX_TEXT_BYTES$/m)
    expect(stdout.toString()).toMatch(/^log\t"warn"\t--set log$/m)
    expect(stdout.toString()).toMatch(/^sqlite\.file\t"x\.db"\t/m)
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
  })

  test('is aligned on a terminal and tab-separated in a pipe', async () => {
    const argv = ['config', 'list']
    const { io, stdout } = testIo({ argv, env: BARE, isTTY: { stdout: true }, cwd: folder })
    expect(await runCli(argv, io)).toBe(0)
    expect(`${stdout()}`).toMatch(/^KEY +VALUE +ORIGIN\nstorage +"sqlite" +default\n/)
    const lines = async (...flags: string[]) =>
      (await run([...argv, ...flags], { env: BARE, cwd: folder })).stdout.toString().split('\n')
    expect((await lines())[0]).toBe('storage\t"sqlite"\tdefault')
    expect((await lines('--header')).slice(0, 2)).toEqual(['key\tvalue\torigin', 'storage\t"sqlite"\tdefault'])
  })

  test('warns about misspelled variables and unused sections, which stop no command', async () => {
    await writeFile(
      join(folder, 'mayfly.config.json'),
      JSON.stringify({ postgres: { url: 'postgres://u:hunter2@db/x' } }),
    )
    const env = { ...BARE, MAYFLY_PUBLICURL: 'https://x', MAYFLY_S3_BUCKET: 'known', MAYFLY_SERVER: 'http://x' }
    const { stdout, stderr, code } = await run(['config', 'list'], { env, cwd: folder })
    expect(code).toBe(0)
    expect(stderr).toBe(
      'mayfly: warning: section "postgres" has no effect: the plugin "postgres" is not in use; remove the section, or use the plugin: storage=postgres\n' +
        'mayfly: warning: MAYFLY_PUBLICURL is not a setting and has no effect; did you mean MAYFLY_PUBLIC_URL?\n',
    )
    expect(stdout.toString() + stderr).not.toContain('hunter2')
  })

  test('masks the URL of a webhook, whose path may be a credential', async () => {
    const url = 'https://chat.example.org/hooks/T0/B0/hunter2'
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    const env = { MAYFLY_PLUGINS: 'webhook', MAYFLY_WEBHOOK_URL: url, MAYFLY_WEBHOOK_SECRETS: secret }
    for (const flags of [[], ['--json']]) {
      const { stdout, stderr, code } = await run(['config', 'list', ...flags], { env, cwd: folder })
      expect(code, stderr).toBe(0)
      expect(stdout.toString()).toContain('webhook.url')
      expect(stdout.toString() + stderr).not.toMatch(/hunter2|whsec_B/)
    }
  })

  test('ignores the variables of Kubernetes services with one warning', async () => {
    const env = {
      ...BARE,
      MAYFLY_PORT: 'tcp://10.0.0.1:3000',
      MAYFLY_SERVICE_HOST: '10.0.0.1',
      MAYFLY_SERVICE_PORT: '3000',
      MAYFLY_PORT_3000_TCP: 'tcp://10.0.0.1:3000',
      MAYFLY_PORT_3000_TCP_ADDR: '10.0.0.1',
    }
    const { stdout, stderr, code } = await run(['config', 'list'], { env, cwd: await mkdtemp(join(folder, 'pod-')) })
    expect(code).toBe(0)
    expect(stderr).toBe(
      'mayfly: warning: MAYFLY_PORT and other variables of a Kubernetes service have no effect; set enableServiceLinks: false in the pod, or rename the service\n',
    )
    expect(stdout.toString()).toContain('port\t3000\tdefault\n')
  })

  test('reports the line of a syntax error in the config file', async () => {
    await writeFile(join(folder, 'mayfly.config.json'), '{\n  "port": 8080,\n}')
    const { stderr, code } = await run(['config', 'list'], { env: BARE, cwd: folder })
    expect({ stderr, code }).toEqual({ stderr: expect.stringContaining('it is not valid JSON, line 3'), code: 2 })
  })

  test('--json prints the same data', async () => {
    const { stdout } = await run(['config', 'list', '--json'], { env: BARE, cwd: folder })
    const settings = JSON.parse(stdout.toString())
    expect(settings).toContainEqual({ key: 'port', value: 3000, origin: 'default' })
  })

  test('--markdown prints the reference of all settings', async () => {
    const all = await run(['config', 'list', '--markdown'], { cwd: folder })
    expect(all.stdout.toString()).toMatch(/^\| `storage` \| `MAYFLY_STORAGE` \|/m)
    expect(all.stdout.toString()).toMatch(/^\| `sqlite.file` \| `MAYFLY_SQLITE_FILE` \|/m)
    const other = await run(['config', 'list', '--markdown'], {
      env: { ...BARE, ...MEMORY_ENV },
      cwd: folder,
    })
    expect(other.stdout.equals(all.stdout)).toBe(true)
  })
})

describe('serve', () => {
  test('V12.2.1: an http publicUrl is for this machine only, unless allowHttp is set', async () => {
    const list = (...settings: string[]) =>
      run(['config', 'list', ...settings.flatMap((setting) => ['--set', setting])], { env: BARE, cwd: folder })
    for (const command of ['serve', 'config list']) {
      const words = [...command.split(' '), '--set', 'publicUrl=http://secrets.intra.example']
      const { stderr, code } = await run(words, { env: BARE, cwd: folder })
      expect({ command, code }).toEqual({ command, code: 2 })
      expect(stderr).toMatch(/^mayfly: error: publicUrl: must be https.*allowHttp/)
    }
    expect((await list('publicUrl=http://secrets.intra.example', 'allowHttp=true')).code).toBe(0)
    for (const host of ['localhost:3000', '127.0.0.1', '[::1]:80']) {
      expect((await list(`publicUrl=http://${host}`)).code, host).toBe(0)
    }
    expect((await list('publicUrl=https://secrets.example.org')).code).toBe(0)
  })

  test('exits with 2 and reports all invalid settings without their values', async () => {
    await writeFile(join(folder, 'mayfly.config.json'), JSON.stringify({ colour: 'red', sqlite: { fiel: 'x' } }))
    const env = { MAYFLY_PLUGINS: 'nope', MAYFLY_PUBLIC_URL: 'hunter2', MAYFLY_LOG_FILE: '/nonexistent' }
    for (const command of [['serve'], ['config', 'list']]) {
      const { stdout, stderr, code } = await run([...command, '--set', 'port=99999'], { env, cwd: folder })
      const problems = stderr.trimEnd().split('\n')
      expect(problems.every((line) => /^mayfly: error: .*[^.]$/.test(line))).toBe(true)
      for (const word of ['port:', 'publicUrl:', '"nope"', 'MAYFLY_LOG_FILE', 'colour', 'sqlite.fiel']) {
        expect(problems.filter((line) => line.includes(word))).toHaveLength(1)
      }
      expect(problems).toHaveLength(6)
      expect(stderr).not.toContain('hunter2')
      expect(stdout).toHaveLength(0)
      expect(code).toBe(2)
    }
  })

  test('exits with 2 for a missing config file', async () => {
    const { stderr, code } = await run(['serve', '--config', 'nowhere.json'], { env: BARE, cwd: folder })
    expect(stderr).toMatch(/^mayfly: error: the config file \S*nowhere.json does not exist\n$/)
    expect(code).toBe(2)
  })

  test('exits with 2 for a plugin that is not a storage', async () => {
    await writeFile(
      join(folder, 'p.mjs'),
      "export default { contract: 1, name: 'p', options: OPTIONS, setup: () => ({}) }".replace(
        'OPTIONS',
        '{ shape: {}, safeParse: () => ({ success: true, data: {} }) }',
      ),
    )
    const { stderr, code } = await run(['serve', '--port', '0', '--set', 'storage=./p.mjs'], { env: BARE, cwd: folder })
    expect(stderr).toBe('mayfly: error: plugin "p" does not provide a storage\n')
    expect(code).toBe(2)
  })

  test('exits with 6 when the port is in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    const flags = ['serve', '--host', '127.0.0.1', '--port', String(port)]
    const { stderr, code } = await run(flags, { env: BARE, cwd: folder })
    expect(stderr).toContain(`mayfly: error: cannot listen on port ${port}: already in use\nmayfly: hint: choose`)
    expect(code).toBe(6)
    taken.close()
  })

  test.each(['nowhere.invalid', '192.0.2.1'])(
    'exits with 6 when %s is not an address of this machine',
    async (host) => {
      const { stderr, code } = await run(['serve', '--host', host, '--port', '0'], { env: BARE, cwd: folder })
      expect(stderr).toContain(`cannot listen on ${host}: not an address of this machine\nmayfly: hint: correct --host`)
      expect(code).toBe(6)
    },
  )

  test('exits with 6 when the data folder or database cannot be opened', async () => {
    await writeFile(join(folder, 'file'), '')
    // Linux only: elsewhere it is a usual missing folder below the root.
    const refusing = await run(['serve', '--set', 'dataDir=/proc/mayfly/data'], { env: BARE, cwd: folder })
    expect(refusing).toMatchObject({ code: 6, stderr: expect.stringContaining('/proc/mayfly/') })
    const noFolder = await run(['serve', '--set', 'dataDir=file/data'], { env: BARE, cwd: folder })
    expect(noFolder).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('cannot be opened: a part of its path is a file (ENOTDIR)'),
    })
    const isFile = await run(['serve', '--set', 'dataDir=file'], { env: BARE, cwd: folder })
    expect(isFile.stderr).toContain('cannot be opened: a part of its path is a file (EEXIST)')
    await mkdir(join(folder, 'data/mayfly.db'), { recursive: true })
    const noFile = await run(['serve', '--port', '0'], { env: BARE, cwd: folder })
    expect(noFile).toMatchObject({ code: 6, stderr: expect.stringContaining('error: plugin "sqlite" did not start') })
  })
})

test.each([
  ['MAYFLY_VISITOR_UPLOADS', 'yes-hunter2'],
  ['MAYFLY_LIMIT_FACTOR', 'hunter2'],
  ['MAYFLY_TRUSTED_PROXIES', 'hunter2'],
  ['MAYFLY_DATABASE_URL', 'oracle://root:hunter2@db.internal/mayfly'],
  ['MAYFLY_DATABASE_URL', 'hunter2'],
])('serve exits with 2 and does not print the value when %s is invalid', async (variable, value) => {
  const { stderr, stdout, code } = await run(['serve', '--port', '0'], {
    env: { ...BARE, [variable]: value },
    cwd: folder,
  })
  expect(code).toBe(2)
  expect(stderr).toContain(variable)
  expect(stderr + stdout).not.toContain('hunter2')
})
