/** Public lists are cached for five seconds, and changes made by this process show at once. */

import { expect, test, vi } from 'vitest'
import { onMemory } from '#test/for-each-storage'
import { anonymous } from '../contracts/auth-context.js'
import { burnSecret } from './burn-secret.js'
import { createSecret } from './create-secret.js'
import { createPublicListCache } from './public-list-cache.js'
import { viewSecret } from './view-secret.js'

const PAGE = { skip: 0, take: 100 }
const visitor = anonymous('203.0.113.1')

onMemory((site) => {
  const share = async (more: object = {}, caller = visitor) => {
    const { app } = site
    const { id, burnToken } = await createSecret(app, { text: '☃', ttl: 60, isPublic: true, ...more }, caller)
    return { id, burn: () => burnSecret(app, id, { burnToken }, caller) }
  }
  const listed = async (headers = {}) => (await site.call('GET', '/secret/public', headers).expect(200)).body.length
  /** Another process on this storage. */
  const elsewhere = () => {
    const { storage, clock } = site.app
    const { list } = createPublicListCache({ store: storage.secrets, share: () => {}, now: () => clock.now })
    return async () => (await list({}, PAGE)).length
  }

  test('requests within five seconds read each list from the storage once', async () => {
    await share()
    const asked = vi.spyOn(site.app.storage.secrets, 'listPublic')
    expect(new Set(await Promise.all(Array.from({ length: 20 }, () => listed())))).toEqual(new Set([1]))
    site.app.clock.now += 4999
    expect(await listed(await site.app.as(await site.app.signUp()))).toBe(1)
    expect(asked).toHaveBeenCalledTimes(1)
    await site.call('GET', '/secret/public?take=5').expect(200)
    await site.call('GET', '/secret/public/somebody').expect(200)
    await site.call('GET', '/secret/public/visitor').expect(200)
    expect(asked).toHaveBeenCalledTimes(4)
    site.app.clock.now += 1
    expect(await listed()).toBe(1)
    expect(asked).toHaveBeenCalledTimes(5)
  })

  test('a change shows at once in its own process and within five seconds in others', async () => {
    const other = elsewhere()
    const steps: [change: () => Promise<unknown>, left: number][] = []
    const burned = await share()
    const viewed = await share({ maxViews: 1 })
    const user = await site.app.signUp()
    const Cookie = await site.app.as(user)
    await site.call('POST', '/secret', Cookie, { text: '☃', ttl: 60, isPublic: true }).expect(201)
    steps.push(
      [() => share(), 4],
      [burned.burn, 3],
      [() => viewSecret(site.app, viewed.id, {}, visitor), 2],
      [() => site.call('POST', '/account/delete', Cookie, { password: user.password }).expect(200), 1],
    )
    let before = 3
    for (const [change, left] of steps) {
      expect([await listed(), await other()]).toEqual([before, before])
      await change()
      expect([await listed(), await other()]).toEqual([left, before])
      site.app.clock.now += 5000
      expect([await listed(), await other()]).toEqual([left, left])
      before = left
    }
  })

  test('SEC-40: an expired secret is never listed', async () => {
    await share({ ttl: 60 })
    await share({ ttl: 61 })
    const other = elsewhere()
    site.app.clock.now += 59_999
    expect([await listed(), await other()]).toEqual([2, 2])
    site.app.clock.now += 1
    expect([await listed(), await other()]).toEqual([1, 1])
  })

  test('SEC-40: only public secrets are listed, with the same fields for everyone', async () => {
    const user = await site.app.signUp()
    const headers = await site.app.as(user)
    const kinds = [
      { text: '☃', ttl: 60 },
      { text: '☃', ttl: 60, isPublic: true, title: 'für alle ☃' },
    ]
    for (const body of kinds) await site.call('POST', '/secret', headers, body).expect(201)
    const { body: own } = await site.call('GET', '/secret/public', headers).expect(200)
    const { body: others } = await site.call('GET', '/secret/public').expect(200)
    expect(others).toEqual(own)
    expect(others.map((each: object) => Object.keys(each).sort())).toEqual([
      ['createdAt', 'expiresAt', 'id', 'title', 'username'],
    ])
  })

  test('a list is read again after the storage failed', async () => {
    await share()
    const asked = vi.spyOn(site.app.storage.secrets, 'listPublic')
    asked.mockRejectedValueOnce(new Error('down'))
    await site.call('GET', '/secret/public').expect(500)
    expect(await listed()).toBe(1)
  })
})
