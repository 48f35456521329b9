/** `mayfly import hemmelig`, from databases with the schema of Hemmelig 6. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { chooseDriver } from '#plugins/sqlite/drivers/sqlite-driver'
import { startLocalServer } from '#test/local-server'
import { createInstanceFolder, type InstanceFolder, PASSPHRASE, USER_COMMAND_ENV } from '#test/user-commands'

const SCHEMA = `
  CREATE TABLE "User" ("id" TEXT NOT NULL PRIMARY KEY, "username" TEXT NOT NULL, "email" TEXT NOT NULL, "password" TEXT,
    "role" TEXT NOT NULL DEFAULT 'user', "authProvider" TEXT, "authProviderId" TEXT,
    "generated" BOOLEAN NOT NULL DEFAULT false, "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP);
  CREATE TABLE "Settings" ("id" TEXT NOT NULL PRIMARY KEY, "disable_users" BOOLEAN NOT NULL DEFAULT false,
    "disable_user_account_creation" BOOLEAN NOT NULL DEFAULT false, "read_only" BOOLEAN NOT NULL DEFAULT false,
    "disable_file_upload" BOOLEAN NOT NULL DEFAULT false, "restrict_organization_email" TEXT NOT NULL DEFAULT '',
    "hide_allowed_ip_input" BOOLEAN NOT NULL DEFAULT false);
  CREATE TABLE "Secret" ("id" TEXT NOT NULL PRIMARY KEY, "data" TEXT NOT NULL);
  CREATE TABLE "File" ("id" TEXT NOT NULL PRIMARY KEY, "key" TEXT NOT NULL);
  INSERT INTO "Secret" VALUES ('1', 'ö'), ('2', 'ü');
  INSERT INTO "File" VALUES ('1', 'ä');
  INSERT INTO "Settings" VALUES ('1', false, true, false, true, '@Example.org', false);
  INSERT INTO "User" ("id", "username", "email", "password", "role") VALUES
    ('1', 'Anna', 'Anna@example.org', '$2b$10$hÄsh', 'admin'), ('2', 'bert', 'bert@example.org', '$2b$10$hÄsh', 'creator');`
const INVALID = `INSERT INTO "User" ("id", "username", "email", "password") VALUES
  ('3', 'zoë☃', 'zoe@example.org', 'x'), ('4', 'carl', 'nowhere', 'x'), ('5', 'ANNA', 'other@example.org', 'x'),
  ('6', 'dora', 'dora@example.org', 'x');`

let instance: InstanceFolder
beforeEach(async () => {
  instance = await createInstanceFolder()
})
afterEach(() => instance.remove())

const mayfly: InstanceFolder['mayfly'] = (...args) => instance.mayfly(...args)
const json = async (...args: string[]) => JSON.parse((await mayfly([...args, '--json'])).stdout)
const parseLines = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

/** Makes `hemmelig.db` in the folder of the instance. */
async function makeDatabase(sql: string): Promise<string> {
  const file = join(instance.folder, 'hemmelig.db')
  const connection = await chooseDriver().open(file, 1000)
  await new Promise<void>((resolve, reject) => connection.exec(sql, (error) => (error ? reject(error) : resolve())))
  await new Promise((resolve) => connection.close(resolve))
  return file
}

test('import hemmelig imports users and settings, and a second run changes nothing', async () => {
  const file = await makeDatabase(SCHEMA)
  const before = await readFile(file)
  const planned = await mayfly(['import', 'hemmelig', 'hemmelig.db', '--dry-run'])
  expect(planned.code).toBe(0)
  expect(planned.stdout).toMatch(/^anna\tanna@example.org\tadmin\tnew\t-?\nbert\tbert@example.org\tuser\tnew\t-?\n$/)
  expect(await json('import', 'hemmelig', 'hemmelig.db', '--dry-run')).toEqual({
    users: [
      { username: 'anna', email: 'anna@example.org', role: 'admin', state: 'new' },
      { username: 'bert', email: 'bert@example.org', role: 'user', state: 'new' },
    ],
    settings: {
      disable_user_account_creation: true,
      disable_file_upload: true,
      restrict_organization_email: 'example.org',
    },
    secrets: 2,
    files: 1,
  })
  expect(planned.stderr).toContain('users: 2 new, 0 exist already, 0 cannot be imported')
  expect(planned.stderr).toContain('not imported: 2 secrets and 1 files')
  expect(await json('user', 'list')).toEqual([])

  const made = await mayfly(['import', 'hemmelig', 'hemmelig.db'])
  expect(made.code).toBe(0)
  const password = expect.stringMatching(new RegExp(`^${PASSPHRASE}$`))
  expect(parseLines(made.stdout)).toEqual([
    { username: 'anna', email: 'anna@example.org', role: 'admin', password },
    { username: 'bert', email: 'bert@example.org', role: 'user', password },
  ])
  expect(made.stdout + made.stderr).not.toContain('hÄsh')
  expect(await json('settings', 'list')).toMatchObject({
    read_only: false,
    disable_users: false,
    disable_user_account_creation: true,
    disable_file_upload: true,
    restrict_organization_email: 'example.org',
  })
  const again = await mayfly(['import', 'hemmelig', 'hemmelig.db'])
  expect(again).toMatchObject({ code: 0, stdout: '' })
  expect(again.stderr).toContain('users: 0 new, 2 exist already, 0 cannot be imported')
  expect(again.stderr).not.toContain('setting ')
  expect(await readFile(file)).toEqual(before)
})

test('a user that cannot be imported stops the import, unless it is left out', async () => {
  await makeDatabase(SCHEMA + INVALID)
  await mayfly(['user', 'add', 'bert', '--email', 'other.bert@example.org'])
  await mayfly(['user', 'add', 'owner', '--email', 'dora@example.org'])
  const refused = await mayfly(['import', 'hemmelig', 'hemmelig.db'])
  expect(refused).toMatchObject({ code: 8, stdout: '' })
  for (const problem of [
    /dora: the e-mail address belongs to owner/,
    /Anna: differs from another user name only in case/,
    /bert: the user name is taken, with another e-mail address or role/,
    /zoë☃: the user name must be/,
    /carl: the e-mail address must be/,
    /5 of 6 users cannot be imported/,
  ])
    expect(refused.stderr).toMatch(problem)
  expect(await json('user', 'list')).toHaveLength(2)
  expect((await json('settings', 'list')).disable_file_upload).toBe(false)

  await mayfly(['user', 'delete', 'owner', '--confirm', 'owner'])
  const made = await mayfly(['import', 'hemmelig', 'hemmelig.db', '--skip-invalid'])
  expect(made.code).toBe(0)
  expect(parseLines(made.stdout)).toMatchObject([
    { username: 'anna', email: 'other@example.org' },
    { username: 'dora' },
  ])
  expect((await json('settings', 'list')).disable_file_upload).toBe(true)
})

test('import hemmelig --send-link prints a one-time link for each user', async () => {
  await makeDatabase(SCHEMA)
  const server = await startLocalServer({ dataDir: join(instance.folder, 'data') })
  const env = { ...USER_COMMAND_ENV, MAYFLY_PUBLIC_URL: server.url }
  const made = await mayfly(['import', 'hemmelig', 'hemmelig.db', '--send-link'], '', env)
  expect(parseLines(made.stdout)).toMatchObject([{ link: expect.stringMatching(/^http/) }, { username: 'bert' }])
})

test.each([
  ['missing.db', /cannot read the database: ENOENT/],
  ['empty.db', /is empty or not a file/],
  ['text.db', /cannot read the database \(SQLITE_NOTADB\)/],
  ['other.db', /not a database of Hemmelig/],
  ['seven.db', /belongs to Hemmelig 7/],
])('import hemmelig refuses %s', async (name, message) => {
  const path = join(instance.folder, name)
  if (name === 'empty.db') await writeFile(path, '')
  if (name === 'text.db') await writeFile(path, 'not a database ☃'.repeat(100))
  if (name === 'other.db') await makeDatabase('create table "Other" (id text)')
  if (name === 'seven.db')
    await makeDatabase('create table "user" ("id" text, "name" text, "email" text, "emailVerified" int)')
  const file = name === 'other.db' || name === 'seven.db' ? 'hemmelig.db' : name
  const refused = await mayfly(['import', 'hemmelig', file])
  expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(message) })
})
