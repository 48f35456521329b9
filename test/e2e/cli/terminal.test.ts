/** The program on a terminal: questions, output and hidden input. */

import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LocalServer, startLocalServer } from '#test/local-server'
import { needs } from '#test/needs'
import { run } from '#test/run-cli'
import { terminal } from '#test/spawn-cli'

const CTRL_C = '\x03'
const CTRL_D = '\x04'
const ENTER = '\r'

let server: LocalServer
let folder: string
let env: Record<string, string>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayfly-tty-'))
  // Without files, so that bytes travel as texts do: files.test.ts has the others.
  server = await startLocalServer({ env: { MAYFLY_VISITOR_UPLOADS: 'false' } })
  env = { MAYFLY_SERVER: server.url }
})
afterAll(async () => {
  await server?.stop()
  await rm(folder, { recursive: true, force: true })
})

async function create(stdin: string | Uint8Array, ...flags: string[]): Promise<string> {
  return (await run(['secret', 'create', ...flags], { stdin, env })).stdout.toString().trim()
}
const viewsLeft = async (link: string) =>
  JSON.parse((await run(['secret', 'read', link, '--peek', '--json'])).stdout.toString() || '{}').views_left
const on = (line: string, more: Record<string, string> = {}) =>
  terminal(line, { env: { ...env, ...more }, cwd: folder })

describe('on a terminal', needs('script'), () => {
  test('mayfly without arguments shows a short help and exits with 0', async () => {
    const tty = on('mayfly ')
    await tty.sees(/Share secrets through links that work once/)
    await tty.sees(/mayfly secret create/)
    expect(await tty.ended).toBe(0)
  })

  test('serve prints its URL and its data folder', async () => {
    const tty = on('mayfly serve --port 0', { MAYFLY_PLUGINS: ',' })
    await tty.sees(/^Ready on http:\/\/localhost:\d+ \(sqlite \/\S+\/data\/mayfly\.db\)\r\n/m)
    tty.types(CTRL_C)
    await tty.sees(/stopping/)
    expect(await tty.ended).toBe(0)
  })

  test('secret create asks for the text, and for the password twice', async () => {
    const tty = on('mayfly secret create --password')
    await tty.sees(/Password:/)
    tty.types(`one${ENTER}`)
    await tty.sees(/Repeat password:/)
    tty.types(`two${ENTER}`)
    await tty.sees(/warning:.* the passwords differ/)
    for (const prompt of [/Password:/, /Repeat password:/]) {
      await tty.sees(prompt)
      tty.types(`pässwörd${ENTER}`)
    }
    await tty.sees(/Type or paste the secret, end with Ctrl-D/)
    tty.types(`first line\nsecond ☃\n${CTRL_D}`)
    const link = await tty.sees(/http:\/\/\S+#\S+/)
    expect(await tty.ended).toBe(0)
    expect(tty.screen()).not.toContain('pässwörd')
    await writeFile(join(folder, 'password'), 'pässwörd')
    const read = await run(['secret', 'read', link, '--password-file', join(folder, 'password')])
    expect(read.stdout.toString()).toBe('first line\nsecond ☃\n')
  })

  test('secret create --generate-password prints the password once, on the terminal and not on stdout', async () => {
    const tty = on('echo text | mayfly secret create --generate-password > link')
    const password = (await tty.sees(/Password: \S+/)).slice('Password: '.length)
    expect(await tty.ended).toBe(0)
    await writeFile(join(folder, 'generated'), password)
    const link = (await readFile(join(folder, 'link'), 'utf8')).trim()
    expect((await run(['secret', 'read', link, '--password-file', join(folder, 'generated')])).stdout.toString()).toBe(
      'text\n',
    )
  })

  test('secret read hides the link, asks before opening, and exits with 130 for no', async () => {
    const link = await create('täxt')
    const no = on('mayfly secret read')
    await no.sees(/Link:/)
    no.types(link + ENTER)
    await no.sees(/This secret can be opened 1 more time\. Open it now\?/)
    no.types(`n${ENTER}`)
    await no.sees(/not opened/)
    expect(await no.ended).toBe(130)
    expect(no.screen()).not.toContain(link.slice(-20))
    expect(await viewsLeft(link)).toBe(1)

    const yes = on(`mayfly secret read '${link}'`)
    await yes.sees(/Open it now\?/)
    yes.types(ENTER)
    await yes.sees(/^täxt\r\n/m)
    await yes.sees(/opened; the secret is gone now/)
    expect(await yes.ended).toBe(0)
  })

  test('secret read opens without a question with --yes or from a pipe', async () => {
    const sure = on(`mayfly secret read '${await create('one')}' --yes`)
    await sure.sees(/^one\r\n/m)
    expect(await sure.ended).toBe(0)
    const piped = on(`mayfly secret read '${await create('two')}' | cat`)
    await piped.sees(/two/)
    expect(await piped.ended).toBe(0)
  })

  test('secret read asks again after a wrong password and uses no view', async () => {
    await writeFile(join(folder, 'password'), 'right')
    const link = await create('text', '--password-file', join(folder, 'password'))
    const tty = on(`mayfly secret read '${link}' --yes`)
    await tty.sees(/Password:/)
    tty.types(`wrong${ENTER}`)
    await tty.sees(/wrong password; 9 more attempts/)
    expect(await viewsLeft(link)).toBe(1)
    await tty.sees(/Password:/)
    tty.types(`right${ENTER}`)
    await tty.sees(/^text\r\n/m)
    expect(await tty.ended).toBe(0)
    expect(tty.screen()).not.toMatch(/wrong\b(?! password)|right/)
  })

  test('secret read asks for the password on the terminal when stdin contains the link', async () => {
    await writeFile(join(folder, 'password'), 'right')
    await writeFile(join(folder, 'link'), await create('text', '--password-file', join(folder, 'password')))
    const tty = on('mayfly secret read - < link > out 2> err')
    await tty.sees(/Password:/)
    tty.types(`right${ENTER}`)
    expect(await tty.ended).toBe(0)
    expect(await readFile(join(folder, 'out'), 'utf8')).toBe('text')
    expect(await readFile(join(folder, 'err'), 'utf8')).toBe('mayfly: opened; the secret is gone now\n')
  })

  test('secret read asks for a separate key', async () => {
    const [keyless = '', key = ''] = (await create('text', '--split')).split('\n')
    const tty = on(`mayfly secret read '${keyless}' --yes`)
    await tty.sees(/Key:/)
    tty.types(key + ENTER)
    await tty.sees(/^text\r\n/m)
    expect(await tty.ended).toBe(0)
  })

  test.each([
    ['Ctrl-C at a question', ''],
    ['Ctrl-C while a password is typed', 'abc'],
  ])('%s exits with 130', async (_, typed) => {
    await writeFile(join(folder, 'password'), 'right')
    const link = await create('text', ...(typed ? ['--password-file', join(folder, 'password')] : []))
    const tty = on(`mayfly secret read '${link}' ${typed ? '--yes' : ''} -o never`)
    await tty.sees(typed ? /Password:/ : /Open it now/)
    tty.types(typed + CTRL_C)
    await tty.sees(/error:.* interrupted/)
    expect(await tty.ended).toBe(130)
    expect(tty.screen()).not.toContain('    at ')
    expect(await viewsLeft(link)).toBe(1)
    await expect(stat(join(folder, 'never'))).rejects.toThrow('ENOENT')
  })

  test('Ctrl-C while typing the text exits with 130 and leaves no file', async () => {
    await mkdir(join(folder, 'empty'))
    const tty = on('cd empty && mayfly secret create -o link')
    await tty.sees(/end with Ctrl-D/)
    expect(await readdir(join(folder, 'empty'))).toHaveLength(1)
    tty.types(`text\n${CTRL_C}`)
    expect(await tty.ended).toBe(130)
    expect(await readdir(join(folder, 'empty'))).toEqual([])
  })

  test('secret burn asks first, and Enter means no', async () => {
    const link = await create('text')
    const no = on(`mayfly secret burn '${link}'`)
    await no.sees(/Burn this secret\?/)
    no.types(ENTER)
    expect(await no.ended).toBe(130)
    expect(await viewsLeft(link)).toBe(1)
    const yes = on(`mayfly secret burn '${link}'`)
    await yes.sees(/Burn this secret\?/)
    yes.types(`y${ENTER}`)
    await yes.sees(/burned/)
    expect(await yes.ended).toBe(0)
  })

  test('control characters are escaped on a terminal and unchanged in a pipe', async () => {
    const text = 'a\x1b]0;title\x07b\x1b[2Jc'
    const link = await create(text, '--views', '2', '--title', 'a title')
    const tty = on(`mayfly secret read '${link}' --yes --color never`)
    await tty.sees(/title: a title/)
    await tty.sees(/a\\x1b\]0;title\\x07b\\x1b\[2Jc\r\n/)
    await tty.sees(/warning: control characters/)
    expect(await tty.ended).toBe(0)
    expect(tty.screen()).not.toContain('\x1b')
    expect((await run(['secret', 'read', link])).stdout.toString()).toBe(text)
  })

  test('binary data is saved to a new file instead of shown', async () => {
    const bytes = Buffer.from([0xff, 0x00, 0x1b])
    await writeFile(join(folder, 'taken'), 'mine')
    const tty = on(`mayfly secret read '${await create(bytes)}' --yes`)
    await tty.sees(/Binary data \(3 bytes\)/)
    tty.types(`taken${ENTER}`)
    await tty.sees(/Replace it\?/)
    tty.types(`n${ENTER}`)
    await tty.sees(/Binary data \(3 bytes\)/)
    tty.types(`saved${ENTER}`)
    expect(await tty.ended).toBe(0)
    expect(await readFile(join(folder, 'saved'))).toEqual(bytes)
    expect(await readFile(join(folder, 'taken'), 'utf8')).toBe('mine')
  })

  test('commands that read stdin from a terminal print a notice', async () => {
    const tty = on('mayfly run --links - -- printenv A')
    await tty.sees(/Type or paste the links, end with Ctrl-D/)
    tty.types(`A=${await create('täxt')}\n${CTRL_D}`)
    await tty.sees(/^täxt\r\n/m)
    expect(await tty.ended).toBe(0)
    const unasked = on('mayfly login --token-stdin --no-input', { XDG_CONFIG_HOME: folder })
    await unasked.sees(/error:.* the token must come from stdin/)
    expect(await unasked.ended).toBe(2)
  })

  test.each([{ CI: '1' }, { MAYFLY_NO_INPUT: '1' }])('with %j no question is asked', async (more) => {
    const tty = on(`mayfly secret read '${await create('text')}'`, more)
    await tty.sees(/^text\r\n/m)
    expect(await tty.ended).toBe(0)
    const typed = on('mayfly secret create', more)
    await typed.sees(/no text on stdin/)
    expect(await typed.ended).toBe(2)
    const asked = on('mayfly secret read', more)
    await asked.sees(/missing argument: link/)
    expect(await asked.ended).toBe(2)
  })

  const CASES: [line: string, shown: RegExp, code: number][] = [
    ['version', /^\d+\.\d+\.\d+\S*\r\n$/, 0],
    ['version --json', /^\{"schema_version":1,.*\}\r\n$/, 0],
    ['frobnicate --color never', /^mayfly: error: unknown command\r\nmayfly: hint: see mayfly --help\r\n$/, 2],
    ['secret --color never', /^mayfly: error: missing command after secret\r\nmayfly: hint: one of: .*\r\n$/, 2],
    ['config list --set port=1', /^KEY +VALUE +ORIGIN\r\nstorage +"sqlite" +default\r\n/, 0],
    ['help exit-codes', /^ {2}0 {2}ok/, 0],
    ['completion bash', /^# Completions of mayfly for bash/, 0],
    ['man version', /^\.TH MAYFLY/, 0],
  ]
  test.each(CASES)('mayfly %s', async (line, shown, code) => {
    const tty = on(`mayfly ${line}`, { MAYFLY_PLUGINS: ',' })
    expect(await tty.ended).toBe(code)
    expect(tty.screen()).toMatch(shown)
  })

  test('output is colored on terminals only, and not with NO_COLOR, TERM=dumb, CI or --color never', async () => {
    const shown = async (line: string, more: Record<string, string> = {}) => {
      const tty = on(`mayfly ${line} < /dev/null`, { MAYFLY_SERVER: 'http://127.0.0.1:1', ...more })
      await tty.ended
      return tty.screen()
    }
    expect(await shown('nope')).toContain('\x1b[31merror:')
    // Errors, a QR code and a table.
    expect(await shown('nope', { NO_COLOR: '1' })).not.toContain('\x1b')
    expect(await shown('secret create --qr', { CI: '1' })).not.toContain('\x1b')
    expect(await shown('config list --set nonsense=1', { TERM: 'dumb' })).not.toContain('\x1b')
    expect(await shown('nope --color never')).not.toContain('\x1b')
  })

  test('files are saved in the working folder with a progress line', async () => {
    const bytes = randomBytes(9_000_000)
    const files = await startLocalServer()
    await writeFile(join(folder, 'a'), bytes)
    const making = on('mayfly secret create -f a', { MAYFLY_SERVER: files.url })
    await making.sees(/Encrypting and sending {2}\d+ % {2}\d+\/9000 kB/)
    const link = await making.sees(/http:\/\/\S+#\S+/)
    expect(await making.ended).toBe(0)
    const reading = on(`mayfly secret read '${link}' --yes`)
    await reading.sees(/Receiving and decrypting {2}\d+ %/)
    await reading.sees(/saved a \(1\)/)
    expect(await reading.ended).toBe(0)
    expect((await readFile(join(folder, 'a (1)'))).equals(bytes)).toBe(true)
    await files.stop()
  })

  test('user delete asks for the username as confirmation', async () => {
    const own = { MAYFLY_PLUGINS: ',', MAYFLY_DATA_DIR: join(folder, 'users') }
    await run(['migrate'], { env: own })
    await run(['user', 'add', 'anna', '--email', 'anna@example.org'], { env: own })
    const deleting = on('mayfly user delete anna', own)
    await deleting.sees(/Type the user name/)
    deleting.types('ann\n')
    expect(await deleting.ended).toBe(130)
    const again = on('mayfly user delete anna', own)
    await again.sees(/Type the user name/)
    again.types('anna\n')
    expect(await again.ended).toBe(0)
    expect((await run(['user', 'list', '--json'], { env: own })).stdout.toString()).toBe('[]\n')
  })
})
