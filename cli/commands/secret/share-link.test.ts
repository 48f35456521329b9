/** What else becomes of a new link: drawn, copied, named, hidden, written in an editor. */

import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LocalServer, startLocalServer } from '#test/local-server'
import { run } from '#test/run-cli'

const LINK = /http:\/\/localhost:\d+\/secret\/[\w-]{22}#1[\w-]{45}/

let server: LocalServer
let folder: string
let env: Record<string, string>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayfly-hand-over-'))
  server = await startLocalServer()
  await mkdir(join(folder, 'bin'))
  env = { MAYFLY_SERVER: server.url, PATH: `${folder}/bin:${process.env.PATH}` }
})
afterAll(async () => {
  await server?.stop()
  await rm(folder, { recursive: true, force: true })
})

async function program(name: string, script: string): Promise<void> {
  await writeFile(join(folder, 'bin', name), `#!/bin/sh\n${script}\n`)
  await chmod(join(folder, 'bin', name), 0o755)
}
const create = (flags: string[], more: Record<string, string> = {}) =>
  run(['secret', 'create', ...flags], { stdin: 'text', env: { ...env, ...more } })

describe('--copy', () => {
  test('by the first program that takes it, through its stdin', async () => {
    const took = join(folder, 'took')
    await program('wl-copy', 'exit 1')
    await program('xclip', `echo "$@" > '${took}'; cat >> '${took}'`)
    const { stdout, stderr } = await create(['--copy'], { WAYLAND_DISPLAY: 'wayland-0', DISPLAY: ':0' })
    expect(await readFile(took, 'utf8')).toBe(`-selection clipboard\n${stdout.toString().trim()}`)
    expect(stderr).toMatch(/^mayfly: copied\nmayfly: created: /)
  })

  test('without a program and a terminal the link is there all the same', async () => {
    const { stdout, stderr, code } = await create(['--copy'], { PATH: '/nowhere' })
    expect(stderr).toContain('warning: not copied')
    expect(stdout.toString()).toMatch(LINK)
    expect(code).toBe(0)
  })
})

describe('--qr', () => {
  test('without a terminal it is 2, and nothing is made', async () => {
    const { stdout, stderr, code } = await create(['--qr', '-v'])
    expect({ length: stdout.length, code }).toEqual({ length: 0, code: 2 })
    expect(stderr).not.toContain('POST')
  })
})

test('--label names it for its sender alone', async () => {
  const { stdout } = await create(['--label', 'Jörg'])
  expect(stdout.toString()).toMatch(new RegExp(`^Jörg\t${LINK.source}\n$`))
  const { stdout: split } = await create(['--label', 'a', '--split'])
  expect(split.toString()).toMatch(/^a\t\S+\na\t1[\w-]{45}\n$/)
  const { stdout: json } = await create(['--label', 'a', '--json'])
  expect(JSON.parse(json.toString())).toMatchObject({ label: 'a' })
  expect((await create(['--label', 'a\tb'])).code).toBe(2)
})

test('--mask github hides link, key and generated password before they are printed', async () => {
  const { stdout, stderr } = await create(['--mask', 'github', '--json', '--generate-password'], {
    GITHUB_ACTIONS: 'true',
  })
  const { link, key, password } = JSON.parse(stdout.toString())
  expect(stderr).toMatch(/^(::add-mask::\S+\n){3}mayfly: created/)
  for (const secret of [link, key, password]) expect(stderr).toContain(`::add-mask::${secret}\n`)
  const elsewhere = await create(['--mask', 'github'])
  expect({ length: elsewhere.stdout.length, code: elsewhere.code }).toEqual({ length: 0, code: 2 })
  expect(elsewhere.stderr).not.toContain('add-mask')
})

test('--edit without a terminal is 2', async () => {
  expect((await create(['--edit'])).code).toBe(2)
  expect((await create(['--edit', '--text', 'x'])).code).toBe(2)
})
