/** The key that encrypts the secrets of authenticator apps. */
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addAuthenticatorApp, withCookies } from '#test/factors'
import { forEachStorage, OWN_PAGE } from '#test/for-each-storage'
import { inspectFactorKey, loadFactorCipher } from './factor-key.js'

const KEY = 'ab'.repeat(32)
const STEP = 30_000
/** One process at a time chooses the key. */
const LEASE_MS = 10_000

forEachStorage((site) => {
  const inspect = () => inspectFactorKey(site.app.storage, site.app.config)
  const keyFile = () => join(site.app.dataDir, 'factor.key')

  /** A user with an authenticator app, whose sign-in waits for the second step. */
  async function createPending() {
    const user = await site.app.signUp()
    const added = await addAuthenticatorApp(site, await site.app.as(user))
    const { username, password } = user
    const first = await site.call('POST', '/authentication/signin', OWN_PAGE, { username, password }).expect(200)
    const headers = withCookies(OWN_PAGE, first)
    const finish = (body: object) => site.call('POST', '/authentication/second-factor', headers, body)
    return { user, finish, ...added }
  }

  test('concurrent first uses agree on one key', async () => {
    const ciphers = await Promise.allSettled(Array.from({ length: 5 }, () => loadFactorCipher(site.app)))
    const made = ciphers.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    const text = made[0]?.encrypt('ü ☃', 'a') ?? ''
    expect(made.map((cipher) => cipher.decrypt(text, 'a'))).toEqual(made.map(() => 'ü ☃'))
    expect(made[0]?.decrypt(text, 'b')).toBeNull()
  })

  site.once(() => {
    test('the first authenticator app creates the key, which only the server can read', async () => {
      expect(await inspect()).toBe('unused')
      await createPending()
      expect(await inspect()).toBe('present')
      expect((await stat(keyFile())).mode & 0o777).toBe(0o600)
      expect((await readdir(site.app.dataDir)).filter((name) => name.startsWith('factor.key'))).toEqual(['factor.key'])
      const before = await readFile(keyFile())
      await createPending()
      expect(await readFile(keyFile())).toEqual(before)
    })

    test('SEC-52: the database contains no usable factor', async () => {
      const { user, recoveryCodes } = await createPending()
      const { factors, instanceState, rows } = site.app.storage
      const stored = await factors.getAuthenticator(user.id)
      const tables = await Promise.all(
        (rows?.tables ?? []).map(async ({ name }) => (await rows?.read(name, null, 100)) ?? []),
      )
      const database = JSON.stringify(tables)
      const key = (await readFile(keyFile(), 'utf8')).trim()
      expect(database).toContain(stored?.secret)
      for (const secret of [
        key,
        ...(recoveryCodes ?? []),
        ...(recoveryCodes ?? []).map((code) => code.replaceAll('-', '')),
      ])
        expect(database).not.toContain(secret)
      // The key of the instance, which the database contains, does not decrypt the secret.
      expect(await instanceState.get('instance_key')).not.toBeNull()
      await writeFile(keyFile(), `${site.app.key.toString('base64url')}\n`)
      expect(await inspect()).toBe('missing')
    })

    test('without the key, codes are refused and nothing is added, while recovery codes work', async () => {
      const { finish, code, recoveryCodes } = await createPending()
      await rm(keyFile())
      expect(await inspect()).toBe('missing')
      expect((await finish({ code: code(STEP) })).body.code).toBe('auth.unavailable')
      const other = await site.app.as(await site.app.signUp())
      await site.call('POST', '/account/factors/authenticator/options', other).expect(503)
      await finish({ recoveryCode: recoveryCodes?.[0] }).expect(200)
      expect(site.app.logged.join()).toContain('factor key missing')
    })

    test('a restored database works with the file of the key, also for new apps, and not without it', async () => {
      const { finish, code } = await createPending()
      const { instanceState } = site.app.storage
      // Backups are without the state of the instance.
      await instanceState.delete('factor_key_id')
      const key = await readFile(keyFile())
      await writeFile(keyFile(), `${'A'.repeat(43)}\n`)
      expect(await inspect()).toBe('missing')
      const other = await site.app.as(await site.app.signUp())
      await site.call('POST', '/account/factors/authenticator/options', other).expect(503)
      expect(await instanceState.get('factor_key_id')).toBeNull()
      await writeFile(keyFile(), key)
      expect(await inspect()).toBe('present')
      await finish({ code: code(STEP) }).expect(200)
      site.app.clock.now += LEASE_MS
      await addAuthenticatorApp(site, other)
      expect(await readFile(keyFile())).toEqual(key)
    })

    test('a lost key is replaced when no account has an authenticator app', async () => {
      const { user } = await createPending()
      await rm(keyFile())
      const other = await site.app.as(await site.app.signUp())
      await site.call('POST', '/account/factors/authenticator/options', other).expect(503)
      await site.app.storage.factors.reset(user.id)
      expect(await inspect()).toBe('unused')
      site.app.clock.now += LEASE_MS
      await addAuthenticatorApp(site, other)
      expect(await inspect()).toBe('present')
    })

    test('a key that is configured later does not replace the file', async () => {
      await createPending()
      expect(await inspectFactorKey(site.app.storage, { ...site.app.config, instanceKey: KEY })).toBe('present')
    })

    test('a configured key works without a file', async () => {
      await site.restart({ settings: { instanceKey: KEY } })
      await createPending()
      expect(await readdir(site.app.dataDir)).not.toContain('factor.key')
      expect(await inspect()).toBe('present')
      expect(await inspectFactorKey(site.app.storage, { ...site.app.config, instanceKey: '' })).toBe('missing')
    })
  })
})
