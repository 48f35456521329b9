/** Supported kinds of passwords of MariaDB, and an unsupported kind. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openStorage } from '#core/testing'
import { type DatabaseServer, startDatabaseServer } from '#test/database-server'
import { makeDatabase, type TestDatabase } from '#test/databases'
import { needs } from '#test/needs'
import mysql from './index.js'

describe('users of MariaDB', needs('mariadbServer'), () => {
  let server: DatabaseServer
  let database: TestDatabase
  beforeAll(async () => {
    server = await startDatabaseServer('mysql', ['--plugin-load-add=auth_ed25519'])
    database = await makeDatabase('mysql', server.url)
  }, 60_000)
  afterAll(async () => {
    await database.db.destroy()
    await server.end()
  })

  /** The URL for a user with a password of this kind. */
  async function createUser(kind: string): Promise<string> {
    const url = new URL(database.options.url as string)
    await database.db.raw(`create user ??@'%' identified via ${kind} using password('pässwort☃')`, [kind])
    await database.db.raw(`grant all privileges on ??.* to ??@'%'`, [url.pathname.slice(1), kind])
    return Object.assign(url, { username: kind, password: 'pässwort☃', hostname: '127.0.0.1' }).href
  }

  test('mysql_native_password signs in', async () => {
    const { storage, close } = await openStorage(mysql, { options: { url: await createUser('mysql_native_password') } })
    await storage.migrate()
    await storage.ping()
    await close()
  })

  test('ed25519 is explained', async () => {
    const failure = await openStorage(mysql, { options: { url: await createUser('ed25519') } }).catch((error) => error)
    expect(failure).toMatchObject({
      message: expect.stringMatching(/requires a kind of password that the driver does not support/),
      hint: expect.stringContaining('mysql_native_password'),
    })
    expect(`${failure.message}${failure.hint}`).not.toContain('pässwort')
  })
})
