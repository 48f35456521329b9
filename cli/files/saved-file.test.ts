/** Names of saved files: the sender chooses them, and may be an attacker. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { testIo } from '#test/run-cli'
import { toLocalFileName } from './local-file-name.js'
import { createSavedFile } from './saved-file.js'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayfly-saved-'))
  return () => rm(folder, { recursive: true, force: true })
})

async function save(name: string): Promise<string> {
  const { io } = testIo({ cwd: folder })
  const file = await createSavedFile('.', name, io)
  await file.write(Buffer.from('ä ☃'))
  return file.commit()
}

test.each([
  ['win32', 'nul.txt', '_nul.txt'],
  ['linux', 'nul.txt', 'nul.txt'],
])('on %s, %s is saved as %s', (platform, name, expected) => {
  expect(toLocalFileName(name, platform)).toBe(expected)
})

describe('createSavedFile', () => {
  test.each([
    ['.bash_profile', '_.bash_profile'],
    ['.npmrc', '_.npmrc'],
    [' .npmrc', '_.npmrc'],
    ['\u200b.zshenv', '_.zshenv'],
    ['...☃', '_...☃'],
    ['.', 'file'],
    ['..', 'file'],
    ['../../.bashrc', '_.._.._.bashrc'],
    ['/etc/passwd', '_etc_passwd'],
    ['C:\\x.txt', 'C__x.txt'],
    ['CON', 'CON'],
    ['nul.txt', 'nul.txt'],
    ['-rf', '_-rf'],
    ['--checkpoint-action=exec=sh x.sh', '_--checkpoint-action=exec=sh x.sh'],
    [' -x', '_-x'],
    ['\u200b-x', '_-x'],
    ['.con', '_.con'],
    ['Übersicht ☃.pdf', 'Übersicht ☃.pdf'],
  ])('saves %j as %j and returns that path', async (name, expected) => {
    expect(await save(name)).toBe(expected)
    expect(await readdir(folder)).toEqual([expected])
  })

  test.each([
    ['ASCII', `${'a'.repeat(296)}.pdf`],
    ['two bytes', `${'ä'.repeat(148)}.pdf`],
    ['four bytes', `${'😀'.repeat(74)}.pdf`],
    ['hidden', `.${'☃'.repeat(99)}.pdf`],
  ])('cuts a name of 300 bytes between characters and keeps its extension: %s', async (_, name) => {
    await save(name)
    const second = await save(name)
    expect(second).toMatch(/^_?\.?(a+|ä+|😀+|☃+) \(1\)\.pdf$/u)
    expect(Buffer.byteLength(second)).toBeLessThanOrEqual(255)
    expect((await readdir(folder)).length).toBe(2)
  })

  test('does not overwrite a file that has the name without the dot', async () => {
    await writeFile(join(folder, '_.npmrc'), 'mine')
    expect(await save('.npmrc')).toBe('_ (1).npmrc')
  })
})
