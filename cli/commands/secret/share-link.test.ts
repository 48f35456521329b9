/** Flags of `secret create` that show, copy, label or mask the link. */

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CliFixture, startCliFixture } from '#test/cli-fixture'
import { run } from '#test/run-cli'

const LINK = /http:\/\/localhost:\d+\/secret\/[\w-]{22}#1[\w-]{45}/

let cli: CliFixture
beforeAll(async () => {
  cli = await startCliFixture()
})
afterAll(() => cli?.stop())

const create = (flags: string[], more: Record<string, string> = {}) =>
  run(['secret', 'create', ...flags], { stdin: 'text', env: { ...cli.env, ...more } })

describe('--copy', () => {
  test('writes the link to the first working clipboard program', async () => {
    const took = join(cli.folder, 'took')
    await cli.writeProgram('wl-copy', 'exit 1')
    await cli.writeProgram('xclip', `echo "$@" > '${took}'; cat >> '${took}'`)
    const { stdout, stderr } = await create(['--copy'], { WAYLAND_DISPLAY: 'wayland-0', DISPLAY: ':0' })
    expect(await readFile(took, 'utf8')).toBe(`-selection clipboard\n${stdout.toString().trim()}`)
    expect(stderr).toMatch(/^mayfly: copied\nmayfly: created: /)
  })

  test('warns and prints the link without a program and a terminal', async () => {
    const { stdout, stderr, code } = await create(['--copy'], { PATH: '/nowhere' })
    expect(stderr).toContain('warning: not copied')
    expect(stdout.toString()).toMatch(LINK)
    expect(code).toBe(0)
  })
})

describe('--qr', () => {
  test('exits with 2 and creates nothing without a terminal', async () => {
    const { stdout, stderr, code } = await create(['--qr', '-v'])
    expect({ length: stdout.length, code }).toEqual({ length: 0, code: 2 })
    expect(stderr).not.toContain('POST')
  })
})

test('--label is printed before the link and not sent', async () => {
  const { stdout } = await create(['--label', 'Jörg'])
  expect(stdout.toString()).toMatch(new RegExp(`^Jörg\t${LINK.source}\n$`))
  const { stdout: split } = await create(['--label', 'a', '--split'])
  expect(split.toString()).toMatch(/^a\t\S+\na\t1[\w-]{45}\n$/)
  const { stdout: json } = await create(['--label', 'a', '--json'])
  expect(JSON.parse(json.toString())).toMatchObject({ label: 'a' })
  expect((await create(['--label', 'a\tb'])).code).toBe(2)
})

test('--mask github masks link, key and generated password before printing them', async () => {
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

test('--edit exits with 2 without a terminal', async () => {
  expect((await create(['--edit'])).code).toBe(2)
  expect((await create(['--edit', '--text', 'x'])).code).toBe(2)
})
