/** Bytes of scripts, including workers, that a page transfers before any input. */
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Browser, chromium } from 'playwright-core'
import { createClient } from '#shared/client/client'
import { createRequestClient } from '#shared/client/request-client'
import { encryptSecret } from '#shared/crypto/encrypt-secret'
import { encodeText } from '#shared/crypto/envelope'
import { newClaim } from '#shared/crypto/keys'
import { createRequestKeys } from '#shared/crypto/submission'
import { formatLink } from '#shared/link'
import { formatCollectLink, formatRequestLink } from '#shared/request-link'
import { REQUESTS_FOR_ANYONE, startServer } from '#test/start-server'
import { findChromium } from '#test/tools'

export interface PageWeight {
  page: 'home' | 'reveal' | 'request form' | 'request' | 'collect'
  /** Transferred bytes of scripts, by content encoding, such as `br`. */
  bytes: number
  /** Of these, the bytes of the worker that encrypts. */
  workerBytes: number
  files: number
  encodings: string[]
}

/** The workers of secrets and of requests. */
const WORKER = /\/assets\/(request-)?worker-/

/** Null without Chromium. */
export async function pageWeights(): Promise<PageWeight[] | null> {
  const browser = await launchBrowser()
  if (!browser) return null
  const server = await startServer({ env: { MAYFLY_LOG: 'warn' }, settings: [REQUESTS_FOR_ANYONE] })
  const request = await createLinks(server.url)
  const weights = [
    await weigh(browser, server.url, 'home', '/'),
    await weigh(browser, server.url, 'reveal', await createLink(server.url)),
    await weigh(browser, server.url, 'request form', '/request'),
    await weigh(browser, server.url, 'request', request.requestLink),
    await weigh(browser, server.url, 'collect', request.collectLink),
  ]
  await browser.close()
  await server.stop()
  return weights
}

/** Null without Chromium. */
export async function launchBrowser(): Promise<Browser | null> {
  const executablePath = findChromium()
  // Chromium's sandbox does not work for root, the usual user in containers.
  return executablePath ? chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-quic'] }) : null
}

/** Creates a secret, and returns its path with its key. */
export async function createLink(server: string): Promise<string> {
  const { fragment, body } = await encryptSecret({ text: encodeText('a text'), ttl: 3600 })
  const { id } = await createClient({ server }).create(body, newClaim())
  return formatLink(`/secret/${id}`, fragment)
}

/** Paths of the two links of a new request. */
async function createLinks(server: string): Promise<{ requestLink: string; collectLink: string }> {
  const { keys, requestKey, fingerprint, body } = await createRequestKeys(null)
  const { id } = await createRequestClient({ server }).create({ ...body, ttl: 3600 }, newClaim())
  const { shareSecret } = keys
  return {
    requestLink: formatRequestLink({ base: '', id, shareSecret, fingerprint }),
    collectLink: formatCollectLink({ base: '', id, requestKey }),
  }
}

async function weigh(browser: Browser, target: string, page: PageWeight['page'], path: string): Promise<PageWeight> {
  const proxy = await countingProxy(target)
  // In a context of its own, so without a cache.
  const tab = await browser.newPage()
  await tab.goto(proxy.url + path, { waitUntil: 'networkidle' })
  await tab.close()
  proxy.stop()
  const scripts = proxy.answers.filter(({ type }) => type.includes('javascript'))
  if (scripts.length === 0) throw new Error(`${path} loads no script`)
  const sum = (of: Answer[]) => of.reduce((total, { bytes }) => total + bytes, 0)
  return {
    page,
    bytes: sum(scripts),
    workerBytes: sum(scripts.filter(({ path }) => WORKER.test(path))),
    files: scripts.length,
    encodings: [...new Set(scripts.map(({ encoding }) => encoding))],
  }
}

export interface Answer {
  path: string
  /** Media type. */
  type: string
  encoding: string
  /** Transferred bytes without headers. */
  bytes: number
}

/** A proxy that records each response, because the browser's own figures leave out the requests of workers. */
export async function countingProxy(target: string) {
  const responses: Answer[] = []
  const proxy = createServer((incoming, outgoing) => {
    const { method, headers, url = '/' } = incoming
    const passed = request(target + url, { method, headers }, (response) => {
      const { 'content-type': type = '', 'content-encoding': encoding = 'none' } = response.headers
      const answer = { path: url.replace(/\?.*/, ''), type, encoding, bytes: 0 }
      responses.push(answer)
      response.on('data', (chunk: Buffer) => {
        answer.bytes += chunk.length
      })
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(outgoing)
    })
    incoming.pipe(passed)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const url = `http://localhost:${(proxy.address() as AddressInfo).port}`
  return { answers: responses, url, stop: () => proxy.close() }
}
