/** One upload for several secrets over HTTP: each has its own link, and the last link deletes the files. */
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { fileCalls, MAX_PART, partsOf, type Upload } from '#test/file-calls'
import { forEachStorage } from '#test/for-each-storage'
import { newClaim } from '../shared/crypto/keys.js'

const HOUR = 60 * 60_000

forEachStorage((site) => {
  const { call, share, view, download, blobs } = fileCalls(site)
  const gone = { statusCode: 404, code: 'file.not_found' }

  async function upload(bytes: Buffer, copies: number, headers: Record<string, string> = {}): Promise<Upload> {
    const parts = partsOf(bytes)
    const begun = await call('POST', '/files', { body: { size: bytes.length, parts: parts.length, copies }, headers })
    expect(begun.status).toBe(201)
    const { id, token } = begun.json
    for (const [index, rawBytes] of parts.entries()) await call('PUT', `/files/${id}/${index}`, { token, rawBytes })
    return { id, token }
  }

  async function shareMany(file: Upload, count: number, options: object = {}, headers: Record<string, string> = {}) {
    const made = await Promise.all(Array.from({ length: count }, () => share([file], options, headers)))
    expect(made.map(({ response }) => response.status)).toEqual(Array(count).fill(201))
    return made
  }

  test('each link over one upload has the file once, and the last view deletes the blobs', async () => {
    const bytes = randomBytes(MAX_PART + 100)
    const file = await upload(bytes, 4)
    const links = await shareMany(file, 4)
    expect((await share([file])).response.json).toMatchObject({ ...gone, field: 'files.0' })
    expect(await blobs()).toHaveLength(2)
    for (const [index, { id, access }] of links.entries()) {
      const claim = newClaim()
      const { json } = await view(id, access, claim)
      expect(json.files).toEqual([{ id: file.id, size: bytes.length, parts: 2, key: expect.any(String) }])
      const [{ key }] = json.files
      for (const [part, expected] of partsOf(bytes).entries()) {
        expect((await download(key, id, part)).bytes.equals(expected)).toBe(true)
      }
      const another = links[(index + 1) % links.length]?.id ?? ''
      expect((await download(key, another, 0)).json).toMatchObject(gone)
      expect((await view(id, access)).status).toBe(404)
    }
    await site.app.background.cleanup.run()
    expect(await blobs()).toHaveLength(2)
    site.app.clock.now += HOUR / 4
    await site.app.background.cleanup.run()
    expect(await blobs()).toEqual([])
    expect(await site.app.storage.attachments.sumBytes()).toBe(0)
  })

  site.once(() => {
    test('one claim for two links gives a ticket for each', async () => {
      const bytes = randomBytes(9)
      const links = await shareMany(await upload(bytes, 2), 2)
      const claim = newClaim()
      const keys: string[] = []
      for (const { id, access } of links) {
        const { json } = await view(id, access, claim)
        keys.push(json.files[0].key)
        expect((await download(json.files[0].key, id)).status).toBe(200)
      }
      expect(new Set(keys).size).toBe(2)
    })

    test('a burn ends the downloads of its link only', async () => {
      const [first, second] = await shareMany(await upload(randomBytes(9), 2), 2, { maxViews: 3 })
      const [one, two] = [first, second].map((link) => link as NonNullable<typeof link>) as [
        NonNullable<typeof first>,
        NonNullable<typeof second>,
      ]
      const keys = [await view(one.id, one.access), await view(two.id, two.access)].map(({ json }) => json.files[0].key)
      await call('POST', `/secret/${one.id}/burn`, { body: { access: one.access } })
      expect((await download(keys[0], one.id)).json).toMatchObject(gone)
      expect((await download(keys[1], two.id)).status).toBe(200)
      await site.app.background.cleanup.run()
      expect((await download(keys[1], two.id)).status).toBe(200)
      await call('POST', `/secret/${two.id}/burn`, { body: { access: two.access } })
      await expect.poll(blobs).toEqual([])
    })

    test('parts cannot be replaced when a link has the file', async () => {
      const bytes = randomBytes(9)
      const file = await upload(bytes, 2)
      const [link] = await shareMany(file, 1)
      const replaced = await call('PUT', `/files/${file.id}/0`, { token: file.token, rawBytes: randomBytes(9) })
      expect(replaced.json).toMatchObject(gone)
      const { json } = await view(link?.id ?? '', link?.access ?? '')
      const { bytes: stored } = await download(json.files[0].key, link?.id ?? '')
      expect(stored.subarray(4).equals(bytes)).toBe(true)
    })

    test('an upload without further links ends after an hour, and its files with the last link', async () => {
      const file = await upload(randomBytes(9), 5)
      const [link] = await shareMany(file, 1, { ttl: 7200 })
      site.app.clock.now += HOUR
      await site.app.background.cleanup.run()
      expect((await share([file])).response.json).toMatchObject(gone)
      expect(await blobs()).toHaveLength(1)
      await call('POST', `/secret/${link?.id}/burn`, { body: { access: link?.access } })
      await expect.poll(blobs).toEqual([])
    })

    test('deleting an account ends its links and its open upload, and not the links of others', async () => {
      const [user, other] = [await site.app.signUp(), await site.app.signUp()]
      const headers = await site.app.as(user)
      const file = await upload(randomBytes(9), 3, headers)
      await shareMany(file, 1, {}, headers)
      const [kept] = await shareMany(file, 1, { maxViews: 2 }, await site.app.as(other))
      await call('POST', '/account/delete', { headers, body: { password: user.password } })
      await site.app.background.cleanup.run()
      expect((await share([file])).response.json).toMatchObject(gone)
      const { json } = await view(kept?.id ?? '', kept?.access ?? '')
      expect((await download(json.files[0].key, kept?.id ?? '')).status).toBe(200)
    })

    test('bytes count once toward the quotas of account, instance and API token', async () => {
      await site.restart({ settings: { userBytesPerDay: 5000, instanceBytes: 5000 } })
      const user = await site.app.signUp()
      const headers = { authorization: `Bearer ${await site.app.tokenOf(user, { maxBytes: 20_000 })}` }
      const left = async () => {
        const [token] = await site.app.storage.tokens.list(user.id, site.app.clock.now)
        return token?.bytesLeft ?? 0
      }
      const file = await upload(randomBytes(4000), 3, headers)
      const charged: number[] = []
      for (let made = 0; made < 3; made++) {
        const before = await left()
        await shareMany(file, 1, {}, headers)
        charged.push(before - (await left()))
      }
      const [first = 0, second = 0, third = 0] = charged
      expect([first - second, third - second]).toEqual([4000, 0])
      expect((await call('GET', '/account/usage', { headers })).json.usedBytes).toBe(4000)
      expect(await site.app.storage.attachments.sumBytes()).toBe(4000)
    })

    test('an upload has 1 to 1,000 copies', async () => {
      const begin = (copies: unknown) => call('POST', '/files', { body: { size: 9, parts: 1, copies } })
      for (const copies of [0, 1001, 1.5, '2', -1, null]) {
        expect((await begin(copies)).json).toMatchObject({ statusCode: 400, code: 'request.invalid', field: 'copies' })
      }
      expect((await begin(1000)).status).toBe(201)
    })
  })
})
