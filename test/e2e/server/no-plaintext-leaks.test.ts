/** The server stores, logs and receives no text, title, key or password of a sealed secret. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, createClient } from '#shared/client/client'
import { decryptViewed, encryptSecret } from '#shared/crypto/encrypt-secret'
import { decodeText, encodeText } from '#shared/crypto/envelope'
import { deriveKeys, newClaim } from '#shared/crypto/keys'
import { parseFragment } from '#shared/link'
import { findCanaries } from '#test/canaries'
import { type RunningProxy, startProxy } from '#test/proxy'
import { type RunningServer, startServer } from '#test/start-server'

const TEXT = 'canary text ☃ hunter2'
const TITLE = 'canary title ☃'
const PASSWORD = 'canary pässword'

let server: RunningServer
let proxy: RunningProxy
let client: Client

beforeAll(async () => {
  server = await startServer({
    env: { MAYFLY_LOG: 'debug', MAYFLY_PLUGINS: ',', MAYFLY_CLEANUP_SECONDS: '1', MAYFLY_READ_GRACE_SECONDS: '2' },
  })
  proxy = await startProxy(server.url)
  client = createClient({ server: proxy.url })
})
afterAll(async () => {
  await proxy.close()
  await server.stop()
})

const files = () =>
  Buffer.concat(
    readdirSync(server.dataDir, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => readFileSync(join(parentPath, name))),
  )
const everything = () => Buffer.concat([files(), Buffer.from(server.log()), proxy.traffic()])

test('SEC-30: a sealed secret shows no plaintext from create to burn', async () => {
  const made = await encryptSecret({ text: encodeText(TEXT), title: TITLE, password: PASSWORD, ttl: 600, maxViews: 2 })
  const linkKey = parseFragment(made.fragment)
  const { access, passwordProof, passphrase } = await deriveKeys(linkKey, PASSWORD)
  const { id, burnToken } = await client.create(made.body, newClaim())
  await client.peek(id, access)
  const wrong = (await deriveKeys(linkKey, 'another')).passwordProof as string
  await expect(client.view(id, { access, claim: newClaim(), password: wrong })).rejects.toThrow()
  const viewed = await client.view(id, { access, claim: newClaim(), password: passwordProof as string })
  expect(decodeText((await decryptViewed(viewed, passphrase, 2 ** 20)).text)).toBe(TEXT)
  expect(findCanaries(everything(), { ciphertext: made.body.text.slice(200, 240) })).not.toEqual([])
  const canaries = { TEXT, TITLE, PASSWORD, linkKey, passphrase, key: made.fragment.slice(1, 44) }
  expect(findCanaries(everything(), canaries)).toEqual([])
  await client.burn(id, { burnToken })
  expect(findCanaries(everything(), canaries)).toEqual([])
})

test('CRY-09: a raw secret leaves no plaintext in the files and the log', async () => {
  const { id } = await client.create({ text: TEXT, title: TITLE, password: PASSWORD, ttl: 600 }, 'order-42')
  const key = id.split('~')[1] as string
  await client.view(id, { claim: newClaim(), password: PASSWORD })
  const kept = Buffer.concat([files(), Buffer.from(server.log())])
  expect(findCanaries(kept, { TEXT, TITLE, PASSWORD, key, order: 'order-42' })).toEqual([])
})

describe('the ciphertext leaves the files', () => {
  /** Ciphertext is random, so any line of it is a canary; about 40 are enough. */
  const piecesOf = (text: string) => {
    const lines = [...text.matchAll(/^[\w+/]{64}$/gm)].map(([line]) => line)
    const every = Math.ceil(lines.length / 40)
    return Object.fromEntries(lines.filter((_, at) => at % every === 0).map((line) => [line, line]))
  }
  const gone = (pieces: Record<string, string>) => expect.poll(() => findCanaries(files(), pieces)).toEqual([])

  test.each(['small', 'large'])('after the last view was acknowledged, %s text', async (size) => {
    const text = size === 'small' ? utf8ToBytes(TEXT) : new Uint8Array(300_000)
    const { body } = await encryptSecret({ text, ttl: 600 })
    const pieces = piecesOf(body.text)
    const { id } = await client.create(body, newClaim())
    expect(findCanaries(files(), pieces).length).toBeGreaterThan(3)
    const ask = { access: body.access as string, claim: newClaim() }
    await client.view(id, ask)
    await client.ack(id, ask)
    await gone(pieces)
  })

  test('after the read grace, without an acknowledgement', async () => {
    const { body } = await encryptSecret({ text: encodeText(TEXT), ttl: 600 })
    const { id } = await client.create(body, newClaim())
    const ask = { access: body.access as string, claim: newClaim() }
    await client.view(id, ask)
    await gone(piecesOf(body.text))
    await expect(client.view(id, ask)).rejects.toMatchObject({ code: 'secret.not_found' })
  })

  test('after a burn, while another secret stays', async () => {
    const [kept, burned] = [
      await encryptSecret({ text: encodeText(TEXT), ttl: 600 }),
      await encryptSecret({ text: encodeText(TEXT), ttl: 600 }),
    ]
    await client.create(kept.body, newClaim())
    const { id, burnToken } = await client.create(burned.body, newClaim())
    await client.burn(id, { burnToken })
    await gone(piecesOf(burned.body.text))
    expect(findCanaries(files(), piecesOf(kept.body.text))).not.toEqual([])
  })
})
