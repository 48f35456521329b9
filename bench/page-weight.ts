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
  const loader = await createPageLoader(browser, server.url)
  const weights = [
    await weigh(loader, 'home', '/'),
    await weigh(loader, 'reveal', await createLink(server.url)),
    await weigh(loader, 'request form', '/request'),
    await weigh(loader, 'request', request.requestLink),
    await weigh(loader, 'collect', request.collectLink),
  ]
  loader.stop()
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

async function weigh({ load }: PageLoader, page: PageWeight['page'], path: string): Promise<PageWeight> {
  const scripts = (await load(path)).filter(({ type }) => type.includes('javascript'))
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

export interface PageLoader {
  /** Loads a page until the network is idle, and returns the responses. One at a time. */
  load(path: string): Promise<Answer[]>
  stop(): void
}

/** Loads pages without a cache, in one tab: a new one for each page takes more than the page. */
export async function createPageLoader(browser: Browser, target: string): Promise<PageLoader> {
  const proxy = await countingProxy(target)
  const tab = await browser.newPage()
  return {
    async load(path) {
      // So that a path that differs in its fragment is loaded as well.
      await tab.goto('about:blank')
      proxy.answers.length = 0
      await tab.goto(proxy.url + path, { waitUntil: 'networkidle' })
      return [...proxy.answers]
    },
    stop: proxy.stop,
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
async function countingProxy(target: string) {
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
      outgoing.writeHead(response.statusCode ?? 502, { ...response.headers, 'cache-control': 'no-store' })
      response.pipe(outgoing)
    })
    incoming.pipe(passed)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const url = `http://localhost:${(proxy.address() as AddressInfo).port}`
  return { answers: responses, url, stop: () => proxy.close() }
}
