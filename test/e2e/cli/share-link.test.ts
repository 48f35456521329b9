/** Flags of `secret create` that need a terminal: QR code, clipboard and editor. */

import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CliFixture, startCliFixture } from '#test/cli-fixture'
import { needs } from '#test/needs'
import { terminal } from '#test/spawn-cli'

const LINK = /http:\/\/localhost:\d+\/secret\/[\w-]{22}#1[\w-]{45}/

let cli: CliFixture
let folder: string
let env: Record<string, string>
beforeAll(async () => {
  cli = await startCliFixture()
  folder = cli.folder
  env = cli.env
})
afterAll(() => cli?.stop())

describe('--copy', () => {
  test('asks the terminal without a clipboard program', needs('script'), async () => {
    await cli.writeFile('text', 'text')
    const tty = terminal('PATH=/nowhere; mayfly secret create --copy < text > link', { env, cwd: folder })
    expect(await tty.ended).toBe(0)
    const [, copied = ''] = /\]52;c;([\w+/=]+)/.exec(tty.screen()) ?? []
    expect(tty.screen()).toContain('asked the terminal to copy')
    expect(`${Buffer.from(copied, 'base64')}\n`).toBe(await readFile(join(folder, 'link'), 'utf8'))
  })
})

describe('--qr', () => {
  test('draws the QR code on stderr', needs('script'), async () => {
    await cli.writeFile('text', 'text')
    const tty = terminal('mayfly secret create --qr < text > drawn', { env, cwd: folder })
    expect(await tty.ended).toBe(0)
    expect(tty.screen().match(/\[97;40m[█▀▄ ]+/g)?.length).toBeGreaterThan(15)
    expect(await readFile(join(folder, 'drawn'), 'utf8')).toMatch(new RegExp(`^${LINK.source}\n$`))
  })
})

describe('--edit', needs('script'), () => {
  const edit = (script: string) => async () => {
    await cli.writeProgram('editor', script)
    return terminal('mayfly secret create --edit > edited', {
      env: { ...env, VISUAL: 'editor --wait', XDG_RUNTIME_DIR: join(folder, 'runtime') },
      cwd: folder,
    })
  }

  test('sends the text that the editor saved and removes the file', async () => {
    await mkdir(join(folder, 'runtime'))
    const script = `stat -c %a "$2" "$(dirname "$2")" > '${folder}/modes'; echo "$1" >> '${folder}/modes'; echo täxt > "$2"; echo täxt > "$2~"`
    expect(await (await edit(script)()).ended).toBe(0)
    const { stdout } = await cli.readSecret(await readFile(join(folder, 'edited'), 'utf8'))
    expect(stdout.toString()).toBe('täxt')
    expect(await readFile(join(folder, 'modes'), 'utf8')).toBe('600\n700\n--wait\n')
    expect(await readdir(join(folder, 'runtime'))).toEqual([])
  })

  test('sends nothing when the editor fails (130) or saves an empty file (2)', async () => {
    expect(await (await edit('exit 1')()).ended).toBe(130)
    expect(await (await edit('true')()).ended).toBe(2)
    expect(await readdir(join(folder, 'runtime'))).toEqual([])
  })
})
