/** `secret create --copies` and `--to-file`: one upload and a link for each name, and lists that people write. */
import { randomBytes } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import Papa from 'papaparse'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createToken, createUser, LOCAL_CLI, toAuthContext } from '#core/runtime'
import { type CliFixture, startCliFixture } from '#test/cli-fixture'
import { run } from '#test/run-cli'

const LINK = 'http://localhost:\\d+/secret/[\\w-]{22}#1[\\w-]{45}'
const TIME = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ'
const CONTENT = randomBytes(5000)

let cli: CliFixture
beforeAll(async () => {
  cli = await startCliFixture()
  await cli.writeFile('bïg ☃.iso', CONTENT)
})
afterAll(() => cli?.stop())

const files = () => cli.server.app.files ?? expect.fail('no files')
const attachments = () => cli.server.app.storage.attachments

async function blobs(): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of files().list()) keys.push(key)
  return keys
}

const create = (flags: string[], options: { stdin?: string; env?: Record<string, string> } = {}) =>
  run(['secret', 'create', ...flags], {
    cwd: cli.folder,
    stdin: options.stdin ?? '',
    env: { ...cli.env, ...options.env },
  })
const withFile = (...flags: string[]) => create(['--file', 'bïg ☃.iso', ...flags])
const parse = (csv: Buffer | string) => Papa.parse<string[]>(`${csv}`.trimEnd(), { newline: '\r\n' }).data

beforeEach(async () => {
  const keys = await blobs()
  await Promise.all(keys.map((key) => files().delete(key)))
})

describe('--copies', () => {
  test('prints a link per line to one uploaded file, which each link opens once', async () => {
    const { stdout, stderr, code } = await withFile('--copies', '7')
    expect(code).toBe(0)
    expect(stderr).toMatch(/^mayfly: created 7 links to 1 file: each opens once, expires in .+ \(\S+Z\)\n$/)
    const links = `${stdout}`.trim().split('\n')
    expect(links).toHaveLength(7)
    expect(new Set(links).size).toBe(7)
    expect(await blobs()).toHaveLength(1)
    for (const link of links) {
      expect(link).toMatch(new RegExp(`^${LINK}$`))
      expect((await cli.readSecret(link)).stdout.equals(CONTENT)).toBe(true)
      expect((await cli.readSecret(link)).code).toBe(3)
    }
  })

  test('gives each link its own label, receipt and JSON document', async () => {
    const labeled = await create(['--copies', '2', '--label', 'röuter', '--receipt'], { stdin: 'sécret' })
    expect(`${labeled.stdout}`).toMatch(new RegExp(`^röuter · 1\t${LINK}\nröuter · 2\t${LINK}\n$`))
    expect(labeled.stderr.match(/^Receipt: /gm)).toHaveLength(2)
    const { stdout } = await create(['--copies', '2', '--json'], { stdin: 'sécret' })
    const documents = `${stdout}`
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(documents).toMatchObject([{ label: '1' }, { label: '2' }])
    expect(documents[0].id).not.toBe(documents[1].id)
  })

  test.each<[string, string[], string]>([
    ['0', [], '--copies must be 1 to 1000'],
    ['1001', [], '--copies must be 1 to 1000'],
    ['2.5', [], '--copies must be a whole number'],
    ['2', ['--public'], '--copies and --public exclude each other'],
    ['2', ['--copy'], '--copies and --copy exclude each other'],
    ['2', ['--to-file', 'x.csv'], '--copies and --to-file exclude each other'],
  ])('refuses %s %s', async (count, flags, message) => {
    const { code, stderr } = await create(['--copies', count, ...flags], { stdin: 'x' })
    expect(stderr).toContain(`error: ${message}`)
    expect(code).toBe(2)
  })
})

describe('--to-file', () => {
  const toFile = async (list: string | Uint8Array, ...flags: string[]) => {
    await cli.writeFile('people.csv', list)
    return create(['--text', 'sécret', '--to-file', 'people.csv', ...flags])
  }

  test('adds links and expiry to the columns of a list, in its order', async () => {
    const { stdout, code } = await toFile('name,team,mail\nZoë,"a, b",zoe@example.org\n"Anna ""A""",,\n')
    expect(code).toBe(0)
    expect(`${stdout}`).toMatch(
      new RegExp(
        `^name,team,mail,link,expires_at\r\nZoë,"a, b",zoe@example.org,${LINK},${TIME}\r\n"Anna ""A""",,,${LINK},${TIME}\r\n$`,
      ),
    )
  })

  test.each([
    ['semicolons and a byte order mark', '\uFEFFTeam;Name\r\nÖl;Zoë\r\n'],
    ['tabs and quotes', 'Team\tNAME\n"Öl"\t"Zoë"\n'],
    ['old line ends, spaces and empty lines', '\rTeam , name\r\r Öl , Zoë \r\r'],
  ])('reads a list with %s', async (_, list) => {
    const { stdout, code } = await toFile(list)
    expect(code).toBe(0)
    const [header = [], row = [], ...others] = parse(stdout)
    expect(header.map((cell) => cell.toLowerCase())).toEqual(['team', 'name', 'link', 'expires_at'])
    expect(row.slice(0, 2)).toEqual(['Öl', 'Zoë'])
    expect(others).toEqual([])
  })

  test('writes a file that only the user can read, and keys and receipts in columns of their own', async () => {
    const { stdout, code } = await toFile('name\nZoë\nZoë\n', '--output', 'links.csv', '--split', '--receipt')
    expect([`${stdout}`, code]).toEqual(['', 0])
    const path = join(cli.folder, 'links.csv')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    const [header, first = [], second = []] = parse(await readFile(path))
    expect(header).toEqual(['name', 'link', 'key', 'expires_at', 'receipt'])
    expect(first[1]).toMatch(/#0$/)
    expect(first[2]).toMatch(/^1[\w-]{45}$/)
    expect(first[4]).toMatch(/\/receipt#1/)
    expect(second[1]).not.toBe(first[1])
  })

  test('cells that a spreadsheet would run are escaped, as in every other export', async () => {
    const cells = ['=1+1', '+1', '-1', '@SUM(1)', '=cmd|" /C calc"!A0']
    const list = ['name,note', ...cells.map((cell) => `x,"${cell.replaceAll('"', '""')}"`), '=HYPERLINK(1),y']
    const rows = parse((await toFile(`${list.join('\n')}\n`)).stdout).slice(1)
    expect(rows.map(([name, note]) => [name, note])).toEqual([
      ...cells.map((cell) => ['x', `'${cell}`]),
      ["'=HYPERLINK(1)", 'y'],
    ])
  })

  test.each<[string, string | Uint8Array, string]>([
    ['without the column name', 'person,mail\nZoë,z@example.org\n', 'the column name is missing'],
    ['with two columns name', 'name,Name\na,b\n', 'the column name appears twice'],
    ['with a column of the output', 'name,link\na,b\n', 'the column link is reserved for the output'],
    ['without rows', 'name,mail\n', 'the list is empty'],
    ['of no lines', '', 'the column name is missing'],
    ['with an empty name', 'name,mail\nZoë,z\n ,y\n', 'line 3: the name is missing'],
    ['with a name of two lines', 'name\n"a\nb"\n', 'line 2: the name has more than one line or a tab'],
    ['with a name of 101 characters', `name\n${'ä'.repeat(101)}\n`, 'line 2: the name is longer than 100 characters'],
    ['with a row that is too long', 'name\na,b\n', 'line 2: there are only 1 columns'],
    ['with an open quote', 'name\n"a\n', 'line 2: '],
    ['of 1,001 rows', `name\n${'a\n'.repeat(1001)}`, 'the list has 1001 rows; at most 1000 links are made'],
    ['of more than 1 MiB', `name,x\na,${'b'.repeat(2 ** 20)}\n`, 'the list is too long'],
    ['in another encoding', Buffer.from('name\nZo\xEB\n', 'latin1'), 'the list is not UTF-8'],
    ['of UTF-16', Buffer.from('\uFEFFname\nZoë\n', 'utf16le'), 'the list is not UTF-8'],
  ])('refuses a list %s and creates nothing', async (_, list, message) => {
    const before = await cli.server.app.storage.secrets.countLive(10_000, Date.now())
    const { code, stderr, stdout } = await toFile(list)
    expect(stderr).toContain(`--to-file: ${message}`)
    expect([code, `${stdout}`]).toEqual([2, ''])
    expect(await cli.server.app.storage.secrets.countLive(10_000, Date.now())).toBe(before)
  })

  test('reads the list from stdin unless the secret is there', async () => {
    const { stdout, code } = await create(['--text', 'x', '--to-file', '-'], { stdin: 'name\nZoë\n' })
    expect([parse(stdout).length, code]).toEqual([2, 0])
    expect((await create(['--to-file', '-'], { stdin: 'name\nZoë\n' })).stderr).toContain('stdin cannot be both')
  })
})

describe('a token for three secrets', () => {
  let env: Record<string, string>
  beforeEach(async () => {
    const username = `u${randomBytes(4).toString('hex')}`
    const { app } = cli.server
    const person = { username, email: `${username}@example.org`, password: 'correct horse ☃', role: 'user' as const }
    await createUser(app, { ...person, generated: false }, LOCAL_CLI)
    const user = (await app.storage.users.find(username)) ?? expect.fail('no user')
    const { token } = await createToken(app, { name: 'ci', maxSecrets: 3 }, toAuthContext(user, { address: null }))
    env = { MAYFLY_TOKEN: token, XDG_CONFIG_HOME: join(cli.folder, username) }
  })

  test('the links that were printed stay valid when the others cannot be created', async () => {
    await cli.writeFile('people.csv', 'name\nAnna\nBen\nZoë\nÅsa\nMax\n')
    const flags = [
      '--file',
      'bïg ☃.iso',
      '--to-file',
      'people.csv',
      '--output',
      `${randomBytes(4).toString('hex')}.csv`,
    ]
    const { code, stderr } = await create(flags, { env })
    expect(stderr).toMatch(/created 3 of 5 links\n/)
    expect(stderr).toContain('hint: the links that were printed are valid; run it again for the others')
    expect(code).toBe(4)
    const rows = parse(await readFile(join(cli.folder, flags.at(-1) ?? ''))).slice(1)
    expect(rows).toHaveLength(3)
    for (const [, link = ''] of rows) expect((await cli.readSecret(link)).stdout.equals(CONTENT)).toBe(true)
    // The upload accepts no more links, so the file ends with the last view.
    await cli.server.app.background.cleanup.run()
    expect(await attachments().listEnded(Date.now() + 86_400_000, 10)).not.toEqual([])
  })

  test('links that cannot be written are burned', async () => {
    const before = await cli.server.app.storage.secrets.countLive(10_000, Date.now())
    const { code, stderr } = await create(['--text', 'x', '--copies', '3', '--output', '/dev/full'], { env })
    expect(stderr).toContain('no link was printed')
    expect(code).toBe(10)
    expect(await cli.server.app.storage.secrets.countLive(10_000, Date.now())).toBe(before)
  })

  test('secret list names each link by the file and the name', async () => {
    await cli.writeFile('people.csv', 'name\nAnna\nZoë\n')
    await create(['--file', 'bïg ☃.iso', '--to-file', 'people.csv'], { env })
    const { stdout } = await run(['secret', 'list', '--json'], { env: { ...cli.env, ...env } })
    const labels = (JSON.parse(`${stdout}`) as { label: string }[]).map(({ label }) => label)
    expect(labels.sort()).toEqual(['bïg ☃.iso · Anna', 'bïg ☃.iso · Zoë'])
  })
})
