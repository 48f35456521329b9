/**
 * REL-20. A storage or file store that hangs or returns invalid values affects its own request only, and its values are
 * not in responses.
 */
import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { fileCalls } from '#test/file-calls'
import { onMemory } from '#test/for-each-storage'
import { newClaim } from '../shared/crypto/keys.js'

const WORD = 'hunter2 ☃'
const INVALID = [undefined, 42, WORD, {}, [WORD], { id: WORD, kind: WORD, text: WORD }]
const hang = () => new Promise<never>(() => {})

onMemory((site) => {
  const files = fileCalls(site)
  const shareFile = async () => files.share([await files.upload(randomBytes(9))], { maxViews: 9 })
  const expectWorkingServer = async () => {
    await site.call('GET', '/healthz').expect(204)
    await site.call('POST', '/secret', {}, { text: 'text ☃', ttl: 60 }).expect(201)
  }
  /** Responses to all requests about one secret. */
  const askFor = (id: string, access: string) => [
    () => site.call('GET', `/secret/${id}/exist`, { 'Mayfly-Access': access }),
    () => site.call('POST', `/secret/${id}`, {}, { access, claim: newClaim() }),
    () => site.call('POST', `/secret/${id}/burn`, {}, { access }),
  ]

  test.each(INVALID)('REL-20: a storage that returns %j causes an error that does not contain it', async (value) => {
    const { id, access } = await shareFile()
    const find = async () => value
    Object.assign(site.app.storage.secrets, { peek: find, view: find, peekBurnable: find, burn: find })
    for (const ask of askFor(id, access)) {
      const { status, text } = await ask()
      expect([404, 500]).toContain(status)
      expect(text + site.app.logged.join()).not.toContain(WORD)
    }
    await expectWorkingServer()
  })

  test('REL-20: a storage that hangs delays its own requests only', async () => {
    const { id, access } = await shareFile()
    Object.assign(site.app.storage.secrets, { peek: hang, view: hang, peekBurnable: hang, burn: hang })
    const hanging = askFor(id, access).map((ask) => expect(ask()).rejects.toThrow())
    await expectWorkingServer()
    await site.restart({})
    await Promise.all(hanging)
  })

  describe('a file store', () => {
    const viewTicket = async (id: string, access: string): Promise<string> =>
      (await files.view(id, access)).json.files[0].key

    test.each(INVALID)('REL-20: that returns %j causes an error that does not contain it', async (value) => {
      const { id, access } = await shareFile()
      const ticket = await viewTicket(id, access)
      Object.assign(site.app.fileStore ?? {}, { get: async () => value })
      const outcome = await files.download(ticket, id).then(
        ({ status, bytes }) => ({ status, text: `${bytes}` }),
        // The connection ends when a response has begun.
        () => ({ status: 500, text: '' }),
      )
      expect(outcome.status).toBeGreaterThanOrEqual(400)
      expect(outcome.text + site.app.logged.join()).not.toContain(WORD)
      await expectWorkingServer()
    })

    test('REL-20: that hangs delays its own requests only', async () => {
      const { id, access } = await shareFile()
      const ticket = await viewTicket(id, access)
      Object.assign(site.app.fileStore ?? {}, { get: hang, put: hang })
      const hanging = [files.download(ticket, id), files.upload(randomBytes(9))].map((each) =>
        expect(each).rejects.toThrow(),
      )
      await expectWorkingServer()
      await site.restart({})
      await Promise.all(hanging)
    })
  })
})
