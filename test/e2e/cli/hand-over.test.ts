/** A new link on a terminal: drawn, copied, and its text written in an editor. */

import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type LocalServer, startLocalServer } from '#test/local-server'
import { needs } from '#test/needs'
import { run } from '#test/run-cli'
import { terminal } from '#test/spawn-cli'

const LINK = /http:\/\/localhost:\d+\/secret\/[\w-]{22}#1[\w-]{45}/

// Each test starts several processes.
vi.setConfig({ testTimeout: 60_000 })

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
const read = async (link: string) => (await run(['secret', 'read', '-'], { stdin: link })).stdout.toString()

describe('--copy', () => {
  test('--copy uses the terminal without a clipboard program', needs('script'), async () => {
    await writeFile(join(folder, 'text'), 'text')
    const tty = terminal('PATH=/nowhere; mayfly secret create --copy < text > link', { env, cwd: folder })
    expect(await tty.ended).toBe(0)
    const [, copied = ''] = /\]52;c;([\w+/=]+)/.exec(tty.screen()) ?? []
    expect(`${Buffer.from(copied, 'base64')}\n`).toBe(await readFile(join(folder, 'link'), 'utf8'))
  })
})

describe('--qr', () => {
  test('--qr is printed on stderr', needs('script'), async () => {
    await writeFile(join(folder, 'text'), 'text')
    const tty = terminal('mayfly secret create --qr < text > drawn', { env, cwd: folder })
    expect(await tty.ended).toBe(0)
    expect(tty.screen().match(/\[97;40m[█▀▄ ]+/g)?.length).toBeGreaterThan(15)
    expect(await readFile(join(folder, 'drawn'), 'utf8')).toMatch(new RegExp(`^${LINK.source}\n$`))
  })
})

describe('--edit', needs('script'), () => {
  const edit = (script: string) => async () => {
    await program('editor', script)
    return terminal('mayfly secret create --edit > edited', {
      env: { ...env, VISUAL: 'editor --wait', XDG_RUNTIME_DIR: join(folder, 'runtime') },
      cwd: folder,
    })
  }

  test('--edit sends the text that the editor saved and deletes the file', async () => {
    await mkdir(join(folder, 'runtime'))
    const script = `stat -c %a "$2" "$(dirname "$2")" > '${folder}/modes'; echo "$1" >> '${folder}/modes'; echo täxt > "$2"; echo täxt > "$2~"`
    expect(await (await edit(script)()).ended).toBe(0)
    expect(await read(await readFile(join(folder, 'edited'), 'utf8'))).toBe('täxt')
    expect(await readFile(join(folder, 'modes'), 'utf8')).toBe('600\n700\n--wait\n')
    expect(await readdir(join(folder, 'runtime'))).toEqual([])
  })

  test('a failing editor exits with 130, an empty text with 2', async () => {
    expect(await (await edit('exit 1')()).ended).toBe(130)
    expect(await (await edit('true')()).ended).toBe(2)
    expect(await readdir(join(folder, 'runtime'))).toEqual([])
  })
})
