/**
 * SEC-39. From its last millisecond on, an expired secret is unreachable everywhere, although no cleanup has deleted it
 * yet.
 */
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { fileCalls } from '#test/file-calls'
import { onOneStorage } from '#test/for-each-storage'
import { newClaim } from '../shared/crypto/keys.js'

const TTL_S = 3600

onOneStorage((site) => {
  const files = fileCalls(site)

  /** Sends every request that can show, count or end the secrets, and returns the responses by name. */
  async function askEverything() {
    const user = await site.app.signUp()
    const headers = await site.app.as(user)
    const sealed = await files.share([await files.upload(randomBytes(9))], { maxViews: 9, ttl: TTL_S })
    const claim = newClaim()
    const viewed = await files.view(sealed.id, sealed.access, claim)
    const own = { text: 'text ☃', ttl: TTL_S, isPublic: true, title: 'Tïtle' }
    const listed = (await site.call('POST', '/secret', headers, own).expect(201)).body
    const raw = (await site.call('POST', '/secret', {}, { text: 'text ☃', ttl: TTL_S }).expect(201)).body
    const { burnToken } = sealed.response.json
    const { access, id } = sealed
    const status = async (method: string, path: string, sent: Record<string, string> = {}, body?: object) =>
      (await site.call(method, path, sent, body)).status
    return async () => ({
      view: (await files.view(id, access)).status,
      retry: (await files.view(id, access, claim)).status,
      acknowledge: await status('POST', `/secret/${id}/ack`, {}, { access, claim }),
      exist: await status('GET', `/secret/${id}/exist`, { 'Mayfly-Access': access }),
      download: (await files.download(viewed.json.files[0].key, id)).status,
      raw: await status('GET', `/secret/${raw.id}/exist`),
      public: await status('GET', `/secret/${listed.id}/exist`),
      publicView: await status('POST', `/secret/${listed.id}`, {}, { claim: newClaim() }),
      ownList: (await site.call('GET', '/secret', headers)).body.length,
      publicList: (await site.call('GET', '/secret/public/')).body.length,
      publicListOfUser: (await site.call('GET', `/secret/public/${user.username}`)).body.length,
      live: await site.app.storage.secrets.countLive(100, site.app.clock.now),
      burn: await status('POST', `/secret/${id}/burn`, {}, { burnToken }),
      burnByLink: await status('POST', `/secret/${raw.id}/burn`),
      burnByOwner: await status('POST', `/secret/${listed.id}/burn`, headers, {}),
    })
  }

  const GONE = {
    view: 404,
    retry: 404,
    acknowledge: 404,
    exist: 404,
    download: 404,
    raw: 404,
    public: 404,
    publicView: 404,
    ownList: 0,
    publicList: 0,
    publicListOfUser: 0,
    live: 0,
    burn: 404,
    burnByLink: 404,
    burnByOwner: 404,
  }
  const REACHABLE = {
    view: 200,
    retry: 200,
    acknowledge: 204,
    exist: 200,
    download: 200,
    raw: 200,
    public: 200,
    publicView: 200,
    ownList: 1,
    publicList: 1,
    publicListOfUser: 1,
    live: 3,
    burn: 200,
    burnByLink: 200,
    burnByOwner: 200,
  }

  test('SEC-39: one millisecond before its end a secret is reachable everywhere', async () => {
    const ask = await askEverything()
    site.app.clock.now += TTL_S * 1000 - 1
    // The ticket lasts 15 minutes from the first view.
    expect(await ask()).toEqual({ ...REACHABLE, download: 404 })
  })

  test.each([0, 1, 1000, 24 * 3600_000])(
    'SEC-39: %i ms after its end a secret is unreachable everywhere',
    async (late) => {
      const ask = await askEverything()
      site.app.clock.now += TTL_S * 1000 + late
      expect(await ask()).toEqual(GONE)
    },
  )

  test('SEC-39: a ticket and a retry end with the secret, also when they would last longer', async () => {
    const { id, access } = await files.share([await files.upload(randomBytes(9))], { maxViews: 3, ttl: 60 })
    site.app.clock.now += 59_999
    const claim = newClaim()
    const { json } = await files.view(id, access, claim)
    expect((await files.download(json.files[0].key, id)).status).toBe(200)
    site.app.clock.now += 1
    expect((await files.download(json.files[0].key, id)).status).toBe(404)
    expect((await files.view(id, access, claim)).status).toBe(404)
  })
})
