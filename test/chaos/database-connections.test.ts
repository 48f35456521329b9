/** Refused connections to a database server and their messages. */
import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openStorage } from '#core/testing/lib/open-plugin'
import { type DatabaseServer, type ServerName, startDatabaseServer } from '#test/database-server'
import { makeDatabase, type TestDatabase } from '#test/databases'
import { needs } from '#test/needs'

const SERVERS: ServerName[] = ['postgres', 'mysql']

describe.each(SERVERS)('%s', (name) => {
  describe('on a server of its own', needs(name === 'postgres' ? 'postgresServer' : 'mariadbServer'), () => {
    let server: DatabaseServer
    let database: TestDatabase
    beforeAll(async () => {
      server = await startDatabaseServer(name)
      database = await makeDatabase(name, server.url)
    })
    afterAll(async () => {
      await database.db.destroy()
      await server.end()
    })
    const urlWith = (change: Partial<URL>, parameters: Record<string, string> = {}) => {
      const url = Object.assign(new URL(database.options.url as string), change)
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
      return url.href
    }
    const opening = (url: string, more: object = {}) =>
      openStorage(database.plugin, { options: { url, ...more } }).then(
        async (opened) => {
          await opened.close()
          return null
        },
        (error: Error) => error.message,
      )

    test('the location is host, port and database, without credentials', async () => {
      const opened = await openStorage(database.plugin, { options: database.options })
      expect(opened.storage.location).toMatch(/^localhost:\d+\/mayfly_test_\w+$/)
      await opened.close()
    })

    test('a refused connection names the reason without the password', async () => {
      const canary = 'canary-hunter2'
      const told = [
        await opening(urlWith({ pathname: '/nowhere' })),
        await opening(urlWith({ port: '1' })),
        await opening(urlWith({ username: 'nobody', password: canary })),
      ]
      expect(told).toEqual([
        expect.stringMatching(/^localhost:\d+\/nowhere is not there: the server has no such database \(\w+\)\.$/),
        expect.stringMatching(/^localhost:1\/mayfly_test_\w+ does not answer \(ECONNREFUSED\)\.$/),
        expect.stringMatching(/^localhost:\d+\/mayfly_test_\w+ refuses the user or the password \(\w+\)\.$/),
      ])
      expect(told.join()).not.toContain(canary)
    })

    test('REL-19: a server that does not write commits to the disk is refused', async () => {
      for (const [args, refusal] of LOSSES[name]) {
        await server.stop()
        await server.start(args)
        expect(await opening(database.options.url as string), args.join()).toMatch(refusal)
      }
      await server.stop()
      await server.start()
      expect(await opening(database.options.url as string)).toBeNull()
    })

    test('V12.2.1: TLS accepts only a certificate of a trusted authority with the right name', async () => {
      const url = database.options.url as string
      expect(await opening(url, { tls: true })).toMatch(/does not speak TLS/)
      expect(await opening(urlWith({}, { sslmode: 'require' }))).toMatch(/does not speak TLS/)
      expect(await opening(urlWith({}, { sslmode: 'prefer' }))).toBeNull()
      const ca = makeAuthority(server.folder)
      await server.stop()
      await server.start(TLS[name](...issue(server.folder, 'localhost')))
      expect(await opening(url, { tls: true })).toMatch(/has a certificate that cannot be verified/)
      expect(await opening(url, { ca })).toBeNull()
      expect(await opening(urlWith({}, { sslmode: 'verify-full' }), { ca })).toBeNull()
      expect(await opening(urlWith({}, { sslmode: 'disable' }), { ca })).toMatch(/turns off/)
      // With TLS if the server speaks it, and then as strictly.
      expect(await opening(urlWith({}, { sslmode: 'prefer' }), { ca })).toBeNull()
      expect(await opening(urlWith({}, { sslmode: 'prefer' }))).toMatch(/has a certificate that cannot be verified/)
      if (name === 'postgres') {
        const file = join(server.folder, 'data/pg_hba.conf')
        const usual = readFileSync(file)
        writeFileSync(file, 'hostssl all all all trust\n')
        await database.db.raw('select pg_reload_conf()')
        await vi.waitFor(async () =>
          expect(await opening(url)).toMatch(/ refuses connections without TLS \(28000\)\.$/),
        )
        writeFileSync(file, usual)
      }
      const elsewhere = await opening(urlWith({ hostname: '127.0.0.1' }), { ca })
      expect(elsewhere).toMatch(/certificate of another name|must name the server/)
      await server.stop()
      await server.start(TLS[name](...issue(server.folder, 'other.example.org')))
      expect(await opening(url, { ca })).toMatch(/has a certificate of another name/)
    })
  })
})

const LOSSES: Record<ServerName, [args: string[], refusal: RegExp][]> = {
  postgres: [
    [['-c', 'fsync=off'], /would lose acknowledged views in a power cut \(fsync is off\)/],
    [['-c', 'synchronous_commit=off'], /\(synchronous_commit is off\)/],
  ],
  mysql: [
    [['--innodb-flush-log-at-trx-commit=2'], /\(innodb_flush_log_at_trx_commit is not 1\)/],
    [['--log-bin', '--sync-binlog=0'], /\(sync_binlog is not 1\)/],
  ],
}

const TLS: Record<ServerName, (certificate: string, key: string) => string[]> = {
  postgres: (certificate, key) => ['-c', 'ssl=on', '-c', `ssl_cert_file=${certificate}`, '-c', `ssl_key_file=${key}`],
  mysql: (certificate, key) => [`--ssl-cert=${certificate}`, `--ssl-key=${key}`],
}

/** Makes a certificate authority. Returns its file. */
function makeAuthority(folder: string): string {
  openssl(['-x509'], { subject: 'authority', out: join(folder, 'ca.pem'), key: join(folder, 'ca.key') })
  return join(folder, 'ca.pem')
}

function issue(folder: string, name: string): [certificate: string, key: string] {
  const at = (suffix: string) => join(folder, `${name}.${suffix}`)
  openssl(
    [
      '-x509',
      '-CA',
      join(folder, 'ca.pem'),
      '-CAkey',
      join(folder, 'ca.key'),
      '-addext',
      `subjectAltName=DNS:${name}`,
      '-addext',
      'basicConstraints=critical,CA:FALSE',
    ],
    { subject: name, out: at('pem'), key: at('key') },
  )
  // The server reads it as its own user, and refuses a key that others can read.
  const { uid, gid } = statSync(join(folder, 'data'))
  chownSync(at('key'), uid, gid)
  chmodSync(at('key'), 0o600)
  return [at('pem'), at('key')]
}

function openssl(args: string[], { subject, out, key }: { subject: string; out: string; key: string }): void {
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const what = ['-subj', `/CN=${subject}`, '-out', out, '-keyout', key]
  execFileSync('openssl', ['req', ...args, ...curve, ...what], { stdio: 'ignore' })
}
