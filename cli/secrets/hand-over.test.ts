/** What else becomes of a new link: drawn, copied, named, hidden, written in an editor. */

import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { needs } from '#test/needs'
import { run, terminal } from '#test/spawn-cli'
import { type RunningServer, startServer } from '#test/start-server'

const LINK = /http:\/\/localhost:\d+\/secret\/[\w-]{22}#1[\w-]{45}/

// Each test starts several processes.
vi.setConfig({ testTimeout: 60_000 })

let server: RunningServer
let folder: string
let env: Record<string, string>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayfly-hand-over-'))
  server = await startServer({ env: { MAYFLY_PLUGINS: ',' } })
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
const read = async (link: string) => (await run(['secret', 'read', '-'], { stdin: link })).stdout.toString()

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

  test('by the terminal where there is no program', needs('script'), async () => {
    await writeFile(join(folder, 'text'), 'text')
    const tty = terminal('PATH=/nowhere; mayfly secret create --copy < text > link', { env, cwd: folder })
    expect(await tty.ended).toBe(0)
    const [, copied = ''] = /\]52;c;([\w+/=]+)/.exec(tty.screen()) ?? []
    expect(`${Buffer.from(copied, 'base64')}\n`).toBe(await readFile(join(folder, 'link'), 'utf8'))
  })
})

describe('--qr', () => {
  test('is drawn on stderr', needs('script'), async () => {
    await writeFile(join(folder, 'text'), 'text')
    const tty = terminal('mayfly secret create --qr < text > drawn', { env, cwd: folder })
    expect(await tty.ended).toBe(0)
    expect(tty.screen().match(/\[97;40m[█▀▄ ]+/g)?.length).toBeGreaterThan(15)
    expect(await readFile(join(folder, 'drawn'), 'utf8')).toMatch(new RegExp(`^${LINK.source}\n$`))
  })

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

describe('--edit', needs('script'), () => {
  const edit = (script: string) => async () => {
    await program('editor', script)
    return terminal('mayfly secret create --edit > edited', {
      env: { ...env, VISUAL: 'editor --wait', XDG_RUNTIME_DIR: join(folder, 'runtime') },
      cwd: folder,
    })
  }

  test('what the editor saves is the text; nothing of it stays', async () => {
    await mkdir(join(folder, 'runtime'))
    const script = `stat -c %a "$2" "$(dirname "$2")" > '${folder}/modes'; echo "$1" >> '${folder}/modes'; echo täxt > "$2"; echo täxt > "$2~"`
    expect(await (await edit(script)()).ended).toBe(0)
    expect(await read(await readFile(join(folder, 'edited'), 'utf8'))).toBe('täxt')
    expect(await readFile(join(folder, 'modes'), 'utf8')).toBe('600\n700\n--wait\n')
    expect(await readdir(join(folder, 'runtime'))).toEqual([])
  })

  test('an editor that fails sends nothing: 130; nor does one that saves nothing: 2', async () => {
    expect(await (await edit('exit 1')()).ended).toBe(130)
    expect(await (await edit('true')()).ended).toBe(2)
    expect(await readdir(join(folder, 'runtime'))).toEqual([])
  })

  test('without a terminal it is 2', async () => {
    expect((await create(['--edit'])).code).toBe(2)
    expect((await create(['--edit', '--text', 'x'])).code).toBe(2)
  })
})
