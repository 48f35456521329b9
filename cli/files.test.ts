/** Files of secrets: attaching, saving and limits. */

import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createClient } from '#shared/client/client'
import { upload } from '#shared/client/upload'
import { encryptSecret } from '#shared/crypto/encrypt-secret'
import { newClaim } from '#shared/crypto/keys'
import { formatLink } from '#shared/link'
import { type LocalServer, startLocalServer } from '#test/local-server'
import { run, testIo } from '#test/run-cli'
import { runCli } from './run-cli.js'

const TEXT = 'pässwörd ☃\nsecond line\n'
const BYTES = randomBytes(300_000)
const TWO_PARTS = randomBytes(9_000_000)

const SETTINGS = { MAYFLY_MAX_OPEN_UPLOADS: '1000' }
let server: LocalServer
let env: { MAYFLY_SERVER: string }
beforeAll(async () => {
  const room = { MAYFLY_VISITOR_BYTES_PER_DAY: '10000000000', MAYFLY_MAX_FILE_BYTES: '200000000' }
  server = await startLocalServer({ env: { ...SETTINGS, ...room } })
  env = { MAYFLY_SERVER: server.url }
})
afterAll(() => server?.stop())

let cwd: string
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'mayfly-files-'))
  return () => rm(cwd, { recursive: true, force: true })
})

const file = async (name: string, content: string | Uint8Array) => writeFile(join(cwd, name), content)
const mayfly = (args: string[], stdin: string | Uint8Array = '') => run(args, { stdin, env, cwd })

/** The link of a new secret. */
async function create(flags: string[], stdin: string | Uint8Array = ''): Promise<string> {
  const { stdout, stderr, code } = await mayfly(['secret', 'create', ...flags], stdin)
  expect(stderr).not.toContain('error')
  expect(code).toBe(0)
  return stdout.toString().trim()
}
const read = (link: string, ...flags: string[]) => mayfly(['secret', 'read', '-', ...flags], link)
const inside = (name: string) => readFile(join(cwd, name))
const viewsLeft = async (link: string) =>
  JSON.parse((await read(link, '--peek', '--json')).stdout.toString()).views_left

describe('secret create --file', () => {
  test('attaches a file, which secret read writes to a pipe', async () => {
    await file('Übersicht ☃.pdf', TWO_PARTS)
    const { stdout, stderr } = await mayfly(['secret', 'create', '--json', '-f', 'Übersicht ☃.pdf'])
    expect(stderr).toMatch(/^mayfly: created with 1 file: opens once, /)
    const { link, files } = JSON.parse(stdout.toString())
    expect(files).toEqual([{ name: 'Übersicht ☃.pdf', size: TWO_PARTS.length }])
    expect(JSON.parse((await read(link, '--peek', '--json')).stdout.toString())).toMatchObject({ files: 1 })
    const { stdout: bytes, stderr: said, code } = await read(link)
    expect(bytes.equals(TWO_PARTS)).toBe(true)
    expect(said).toBe('mayfly: opened; the secret is gone now\n')
    expect(code).toBe(0)
  })

  test('attaches several files with a text, and reads stdin only with --text -', async () => {
    await file('a', 'ä')
    await file('empty', '')
    const link = await create(['-f', 'a', 'empty', '--text', '-'], TEXT)
    const { stdout, code } = await read(link, '--out-dir', 'in')
    expect(stdout.toString()).toBe(TEXT)
    expect([await inside('in/a'), await inside('in/empty')]).toEqual([Buffer.from('ä'), Buffer.alloc(0)])
    expect(code).toBe(0)
    expect((await read(await create(['-f', 'a'], 'unread'), '--out-dir', 'in')).stdout).toHaveLength(0)
  })

  test('attaches a pipe under --name', async () => {
    const named = await create(['--file', '-', '--name', 'dump.sql'], BYTES)
    await read(named, '--out-dir', 'in')
    expect((await inside('in/dump.sql')).equals(BYTES)).toBe(true)
  })

  test('sends stdin as a file when it is binary or too large for a text', async () => {
    const odd = await mayfly(['secret', 'create'], Buffer.from([0xff, 0x0a]))
    expect(odd.stderr).toContain('mayfly: stdin is not valid UTF-8; sending it as file stdin.bin\n')
    expect((await read(odd.stdout.toString())).stdout).toEqual(Buffer.from([0xff, 0x0a]))
    const long = `${'ä☃'.repeat(600_000)}\n`
    const large = await mayfly(['secret', 'create'], long)
    expect(large.stderr).toContain('mayfly: stdin is too large for a text; sending it as file stdin.txt\n')
    expect((await read(large.stdout.toString())).stdout.toString()).toBe(long)
  })

  test('--progress prints lines or JSON', async () => {
    await file('file', TWO_PARTS)
    const { stderr } = await mayfly(['secret', 'create', '-f', 'file', '--progress', 'plain'])
    expect(stderr).toMatch(/^(mayfly: Encrypting and sending \d+ %\n)+mayfly: created/)
    expect(stderr).toContain('sending 100 %')
    const { stderr: json } = await mayfly(['secret', 'create', '-q', '-f', 'file', '--progress', 'json'])
    const steps = json
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(steps.at(-1)).toEqual({ done: TWO_PARTS.length, total: TWO_PARTS.length, waiting: false })
  })

  test.each([
    ['a missing file', ['-f', 'nowhere'], 'cannot read nowhere: ENOENT'],
    ['a folder', ['-f', '.'], '. is a folder'],
    ['an empty pipe', ['-f', '-'], 'stdin.bin is empty'],
    ['stdin twice', ['-f', '-', '-f', '-'], 'stdin can be only one file'],
    ['stdin for file and text', ['-f', '-', '--text', '-'], 'stdin cannot be both the file and the text'],
    ['one name for two files', ['-f', 'a', 'b', '--name', 'c'], '--name needs one --file'],
    ['a name with a path', ['-f', '-', '--name', '../c'], '--name is not a portable file name'],
    ['public files', ['-f', '-', '--public'], '--public and --file exclude each other'],
    ['an unknown way to show progress', ['-f', '-', '--progress', 'loud'], '--progress must be auto, plain or json'],
  ])('exits with 2 for %s', async (_, flags, message) => {
    const { stdout, stderr, code } = await mayfly(['secret', 'create', ...flags])
    expect(stderr).toContain(`mayfly: error: ${message}`)
    expect(stdout).toHaveLength(0)
    expect(code).toBe(2)
  })
})

describe('limits', () => {
  test('secret create exits with 7 and sends nothing for too large or too many files', async () => {
    const small = await startLocalServer({ env: { ...SETTINGS, MAYFLY_MAX_FILE_BYTES: '1000', MAYFLY_MAX_FILES: '1' } })
    const at = (flags: string[], stdin: Uint8Array = Buffer.alloc(0)) =>
      run(['secret', 'create', '-v', '-s', small.url, ...flags], { stdin, cwd })
    await file('large', randomBytes(1001))
    await file('fits', randomBytes(1000))
    const refused = [
      await at(['-f', 'large']),
      await at(['-f', '-'], randomBytes(1001)),
      await at(['-f', 'fits', 'fits']),
      await at(['-f', 'fits', '--text', '-'], Buffer.from([0xff])),
    ]
    for (const [index, { stdout, stderr, code }] of refused.entries()) {
      expect(stderr).toContain(index < 2 ? '1000 bytes per file' : 'this server accepts 1 per secret')
      expect(stderr).not.toContain('POST')
      expect({ code, length: stdout.length }).toEqual({ code: 7, length: 0 })
    }
    expect((await at(['-f', 'fits'])).code).toBe(0)
    expect(await openFilesIn(cwd)).toEqual([])
    await small.stop()
  })

  test('without uploads secret create exits with 4 for files and sends binary stdin as a text', async () => {
    const none = await startLocalServer({ env: { ...SETTINGS, MAYFLY_VISITOR_UPLOADS: 'false' } })
    const at = (flags: string[], stdin: Uint8Array = Buffer.alloc(0)) =>
      run(['secret', 'create', '-v', '-s', none.url, ...flags], { stdin, cwd })
    await file('file', 'x')
    const refused = await at(['-f', 'file'])
    expect(refused).toMatchObject({ code: 4, stdout: Buffer.alloc(0) })
    expect(refused.stderr).toContain('error: this server accepts no files from you')
    expect(refused.stderr).not.toContain('POST')
    const odd = Buffer.from([0xff, 0x0a])
    expect((await read((await at([], odd)).stdout.toString())).stdout).toEqual(odd)
    const large = await at([], Buffer.alloc(2 ** 20 + 1, 0x61))
    expect(large).toMatchObject({ code: 7, stdout: Buffer.alloc(0) })
    expect(large.stderr).toContain('error: the text is too large: this server accepts 1048576 bytes')
    await none.stop()
  })
})

describe('secret read with files', () => {
  test('exits with 2 and opens nothing without a destination', async () => {
    await file('a', 'ä')
    await file('b', 'b')
    const link = await create(['-f', 'a', 'b'])
    await file('not-a-folder', '')
    const tries = [[], ['-o', 'out'], ['--json'], ['--out-dir', 'not-a-folder'], ['--text-only', '--out-dir', '.']]
    for (const flags of tries) {
      const { stdout, stderr, code } = await read(link, ...flags)
      expect(stderr).toContain(flags[0] === '--json' ? '"code":"usage"' : 'mayfly: error: ')
      expect({ code, length: stdout.length }).toEqual({ code: 2, length: 0 })
    }
    expect(await viewsLeft(link)).toBe(1)
    expect(await readdir(cwd)).not.toContain('out')
    expect((await read(await create([], TEXT), '--files')).stderr).toContain('this secret has no files')
  })

  test('exits with 2 when the folder is not writable, unless --files writes to stdout', async () => {
    await file('a', 'ä')
    const link = await create(['-f', 'a', '--text', TEXT])
    const inReadOnlyFolder = (...flags: string[]) =>
      run(['secret', 'read', '-', ...flags], { stdin: link, cwd: '/proc' })
    const { stdout, stderr, code } = await inReadOnlyFolder()
    expect(stderr).toContain('cannot save files in .: ')
    expect({ code, length: stdout.length }).toEqual({ code: 2, length: 0 })
    expect(await viewsLeft(link)).toBe(1)
    expect((await inReadOnlyFolder('--files')).stdout.toString()).toBe('ä')
  })

  test('never overwrites, uses mode 0600, and --json has the paths', async () => {
    await file('Übersicht ☃.tar.gz', BYTES)
    const link = await create(['-f', 'Übersicht ☃.tar.gz', '--views', '3', '--text', TEXT])
    for (const _ of [1, 2]) await read(link, '--out-dir', 'in')
    const { stdout } = await read(link, '--out-dir', 'in', '--json')
    const path = 'in/Übersicht ☃.tar (2).gz'
    const expected = { text: TEXT, files: [{ name: 'Übersicht ☃.tar.gz', size: BYTES.length, path }] }
    expect(JSON.parse(stdout.toString())).toMatchObject(expected)
    expect((await readdir(join(cwd, 'in'))).sort()).toEqual(
      ['Übersicht ☃.tar.gz', 'Übersicht ☃.tar (1).gz', 'Übersicht ☃.tar (2).gz'].sort(),
    )
    expect((await inside(path)).equals(BYTES)).toBe(true)
    expect((await stat(join(cwd, path))).mode & 0o777).toBe(0o600)
  })

  test('--output, --files and --text-only select what is written', async () => {
    await file('a', BYTES)
    await read(await create(['-f', 'a']), '--output', 'out')
    expect((await inside('out')).equals(BYTES)).toBe(true)
    const both = await create(['-f', 'a', '--text', TEXT, '--views', '3'])
    expect((await read(both, '--files')).stdout.equals(BYTES)).toBe(true)
    expect((await read(both, '--text-only')).stdout.toString()).toBe(TEXT)
    await mkdir(join(cwd, 'elsewhere'))
    const here = await run(['secret', 'read', '-'], { stdin: both, cwd: join(cwd, 'elsewhere') })
    expect(here.stdout.toString()).toBe(TEXT)
    expect(here.stderr).toContain('mayfly: saved a\n')
    expect((await inside('elsewhere/a')).equals(BYTES)).toBe(true)
  })

  test('--output - shows the only file on a terminal, and binary data escaped', async () => {
    const onTerminal = async (link: string, ...flags: string[]) => {
      const argv = ['secret', 'read', link, ...flags]
      const { io, stdout, stderr } = testIo({ argv, isTTY: { stdout: true }, cwd })
      expect(await runCli(argv, io)).toBe(0)
      return { shown: `${stdout()}`, told: `${stderr()}` }
    }
    await file('a', TEXT)
    await file('b', Buffer.from([0x61, 0x1b, 0xff]))
    const [text, binary] = [await create(['-f', 'a', '--views', '2']), await create(['-f', 'b'])]
    await rm(join(cwd, 'a'))
    expect((await onTerminal(text, '-o', '-')).shown).toBe(TEXT)
    expect(await readdir(cwd)).toEqual(['b'])
    expect(await onTerminal(text)).toMatchObject({ shown: '', told: expect.stringContaining('saved a') })
    const { shown, told } = await onTerminal(binary, '-o', '-')
    expect(shown).toBe('a\\x1b\\xff\n')
    expect(told).toContain('warning: control characters and binary data')
    expect((await readdir(cwd)).sort()).toEqual(['a', 'b'])
  })

  test('unsafe file names stay in the folder', async () => {
    const link = await withNames(['../../evil', '/etc/passwd', '..', 'a\u202eb\n.txt', '', 'CON'])
    const { stderr, code } = await read(link, '--out-dir', 'in')
    expect(code).toBe(0)
    expect(stderr).not.toContain('\u202e')
    expect((await readdir(join(cwd, 'in'))).sort()).toEqual(
      ['_.._.._evil', '_etc_passwd', 'file', 'ab.txt', 'file (1)', 'CON'].sort(),
    )
    expect(await readdir(cwd)).toEqual(['in'])
  })

  test('a file that the sender named like a hidden file gets another name, unless the user names it', async () => {
    await file('.bash_profile', BYTES)
    const link = await create(['-f', '.bash_profile', '--text', TEXT, '--views', '2'])
    await rm(join(cwd, '.bash_profile'))
    const { stdout, stderr } = await read(link, '--out-dir', '.', '--json')
    expect(stderr).toContain('mayfly: saved _.bash_profile\n')
    expect(JSON.parse(stdout.toString()).files).toMatchObject([{ name: '.bash_profile', path: '_.bash_profile' }])
    expect(await readdir(cwd)).toEqual(['_.bash_profile'])
    await read(link, '--files', '--output', '.bash_profile')
    expect((await inside('.bash_profile')).equals(BYTES)).toBe(true)
  })

  test('existing symbolic links are not followed', async () => {
    await mkdir(join(cwd, 'in'))
    await symlink(join(cwd, 'target'), join(cwd, 'in/a'))
    await file('a', 'mine')
    await read(await create(['-f', 'a']), '--out-dir', 'in')
    await expect(stat(join(cwd, 'target'))).rejects.toThrow('ENOENT')
    expect((await inside('in/a (1)')).toString()).toBe('mine')
  })

  test('exits with 9 and saves the other files when one has a wrong checksum', async () => {
    const link = await withNames(['good', 'bad', 'fine'], (name, digest) => (name === 'bad' ? '0'.repeat(64) : digest))
    const { stdout, stderr, code } = await read(link, '--out-dir', 'in', '--json')
    expect(stderr).toContain("mayfly: warning: bad: cannot decrypt the server's response: ")
    expect(stderr).toContain('"message":"1 of 3 files could not be saved"')
    expect(JSON.parse(stdout.toString()).files.map(({ path }: { path: string }) => path)).toEqual([
      'in/good',
      null,
      'in/fine',
    ])
    expect((await readdir(join(cwd, 'in'))).sort()).toEqual(['fine', 'good'])
    expect(code).toBe(9)
  })

  test('says that no file was saved when all have a wrong checksum', async () => {
    const link = await withNames(['bäd', 'worse'], () => '0'.repeat(64))
    const { stderr, code } = await read(link, '--out-dir', 'in')
    expect(stderr).toContain('mayfly: error: 2 of 2 files could not be saved\n')
    expect(stderr).toContain('hint: no file was saved; ')
    expect(await readdir(join(cwd, 'in'))).toEqual([])
    expect(code).toBe(9)
  })

  test('saves files of a raw secret from the API', async () => {
    const files = [{ name: '../raw ☃.txt', type: 'text/plain', content: BYTES.toString('base64') }]
    const body = { text: TEXT, ttl: 600, maxViews: 2, files }
    const { url } = await createClient({ server: server.url }).create(body, newClaim())
    expect((await read(url, '--out-dir', 'in')).stdout.toString()).toBe(TEXT)
    expect((await inside('in/_.._raw ☃.txt')).equals(BYTES)).toBe(true)
    expect((await read(url, '--files')).stdout.equals(BYTES)).toBe(true)
  })
})

/** Paths below a folder that this process has open. */
async function openFilesIn(folder: string): Promise<string[]> {
  const descriptors = await readdir('/proc/self/fd')
  const paths = await Promise.all(descriptors.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')))
  return paths.filter((path) => path.startsWith(folder))
}

/** A secret with arbitrary file names and digests in its header. */
async function withNames(names: string[], toDigest = (_name: string, digest: string) => digest): Promise<string> {
  const client = createClient({ server: server.url })
  const files = []
  for (const name of names) {
    const bytes = Buffer.from(`content of ${name}`)
    const source = { size: bytes.length, read: async (start: number, end: number) => bytes.subarray(start, end) }
    const uploaded = await upload(client, source)
    files.push({ ...uploaded, digest: toDigest(name, uploaded.digest), name, type: '' })
  }
  const { fragment, body } = await encryptSecret({ text: new Uint8Array(), ttl: 600, files })
  return formatLink((await client.create(body, newClaim())).url, fragment)
}
