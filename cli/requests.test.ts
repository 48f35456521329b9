/** `mayfly request`: create, submit and collect. */

import { readdir, readFile, stat } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anonymous } from '#core/contracts/auth-context'
import { openRequest } from '#core/requests/read-requests'
import { deriveShareKeys } from '#shared/crypto/request-keys'
import { createRequestKeys } from '#shared/crypto/submission'
import { parseCollectLink, parseRequestLink } from '#shared/parse-links'
import { findCanaries } from '#test/canaries'
import { type CliFixture, startCliFixture } from '#test/cli-fixture'
import { run } from '#test/run-cli'

const REQUEST_LINK = /^http:\/\/localhost:\d+\/request\/[\w-]{22}#1[\w-]{66}\n$/
const COLLECT_LINK = /^http:\/\/localhost:\d+\/collect\/[\w-]{22}#1[\w-]{45}\n$/
const BYTES = Buffer.from(Array.from({ length: 70_000 }, (_, at) => (at * 31) % 256))
const TEXT = 'canary-text-ödipus-4721\n\nzwei ☃\n'
const TITLE = 'canary-title-ülrike-4722'
const INSTRUCTIONS = 'canary-instructions-ärger-4723'
const FILE_NAME = 'canary-name-öl-4724.txt'

let cli: CliFixture
let env: Record<string, string>
beforeAll(async () => {
  cli = await startCliFixture({ MAYFLY_LOG: 'debug' }, { who_can_request: 'anyone' })
  env = cli.env
})
afterAll(() => cli?.stop())

let made = 0
/** Returns both links. */
async function create(...flags: string[]): Promise<{ link: string; collect: string }> {
  const file = join(cli.folder, `collect-${made++}`)
  const { stdout, stderr, code } = await run(['request', 'create', '--collect-file', file, ...flags], { env })
  expect({ code }, stderr).toEqual({ code: 0 })
  expect(stdout.toString()).toMatch(REQUEST_LINK)
  return { link: stdout.toString().trim(), collect: (await readFile(file, 'utf8')).trim() }
}
const submit = (link: string, stdin: string | Uint8Array, ...flags: string[]) =>
  run(['request', 'submit', link, ...flags], { stdin, cwd: cli.folder })
const collect = (link: string, ...flags: string[]) =>
  run(['request', 'collect', '-', ...flags], { stdin: link, cwd: cli.folder })

describe('request create', () => {
  test('prints only the request link, and writes the collect link to a file that only its owner reads', async () => {
    const cwd = join(cli.folder, 'bin')
    const { stdout, stderr } = await run(['request', 'create'], { env, cwd })
    expect(stdout.toString()).toMatch(REQUEST_LINK)
    const [, name = ''] = /is in (collect-[0-9a-f]{8}\.link)\n$/.exec(stderr) ?? []
    expect(await readFile(join(cwd, name), 'utf8')).toMatch(COLLECT_LINK)
    expect((await stat(join(cwd, name))).mode & 0o777).toBe(0o600)
    expect(stderr).not.toContain('#')
  })

  test('--json prints one document, with the collect link only if asked', async () => {
    const document = async (...flags: string[]) =>
      JSON.parse((await run(['request', 'create', '--json', ...flags], { env })).stdout.toString())
    const shown = await document('--show-collect-link', '--submissions', '3')
    expect(Object.keys(shown)).toEqual(['id', 'link', 'expires_at', 'submissions', 'collect_file', 'collect_link'])
    expect(`${shown.collect_link}\n`).toMatch(COLLECT_LINK)
    expect(shown).toMatchObject({ submissions: 3, collect_file: null })
    expect(await document('--collect-file', join(cli.folder, 'json.link'))).not.toHaveProperty('collect_link')
  })

  test.each([
    [['--submissions', '0'], '--submissions must be 1 to 100'],
    [['--submissions', '101'], '--submissions must be 1 to 100'],
    [['--title', 'a\tb'], '--title must be one line'],
    [['--instructions', 'x'.repeat(9000)], 'at most 8192 bytes'],
    [['--collect-file', '-'], '--collect-file must be a file'],
    [['--collect-file', 'a', '--show-collect-link'], 'exclude each other'],
    [['--ttl', '999d'], '--ttl is out of range'],
    [['--allow-ip', 'x'], '--allow-ip: must be an IP address'],
  ])('%j exits with 2 and creates nothing', async (flags, message) => {
    const before = await readdir(cli.folder)
    const { stdout, stderr, code } = await run(['request', 'create', ...flags], { env, cwd: cli.folder })
    expect({ stdout: stdout.length, code }).toEqual({ stdout: 0, code: 2 })
    expect(stderr).toContain(message)
    expect(await readdir(cli.folder)).toEqual(before)
  })
})

describe('request submit and collect', () => {
  test('a text arrives byte for byte, once', async () => {
    const request = await create('--title', TITLE, '--instructions', INSTRUCTIONS)
    const submitted = await submit(request.link, TEXT)
    expect(submitted.stderr).toMatch(
      new RegExp(`^mayfly: title: ${TITLE}\nmayfly: ${INSTRUCTIONS}\nmayfly: submitted: expires in `),
    )
    expect({ stdout: submitted.stdout.length, code: submitted.code }).toEqual({ stdout: 0, code: 0 })
    const collected = await collect(request.collect)
    expect(collected.stdout.toString()).toBe(TEXT)
    expect(await collect(request.collect)).toMatchObject({ code: 3, stdout: Buffer.alloc(0) })
    expect(await submit(request.link, TEXT)).toMatchObject({ code: 3 })
  })

  test('files arrive byte for byte, one to stdout and several to a folder', async () => {
    const request = await create('--submissions', '2')
    const one = await cli.writeFile(FILE_NAME, BYTES)
    const two = await cli.writeFile('zwei.bin', 'ä')
    expect(await submit(request.link, '', '--file', one)).toMatchObject({ code: 0 })
    expect(await submit(request.link, 'tëxt', '--file', one, two, '--text', '-')).toMatchObject({ code: 0 })
    const first = await collect(request.collect, '-o', '-')
    expect(Buffer.compare(first.stdout, BYTES)).toBe(0)
    expect(first.stderr).toContain('1 more submission; run it again')
    const second = await collect(request.collect, '--out-dir', join(cli.folder, 'in'))
    expect(second).toMatchObject({ stdout: Buffer.from('tëxt'), code: 0 })
    expect(Buffer.compare(await readFile(join(cli.folder, 'in', FILE_NAME)), BYTES)).toBe(0)
    expect(await readFile(join(cli.folder, 'in/zwei.bin'), 'utf8')).toBe('ä')
  })

  test('collect --wait opens the next submission, and --for gives up', async () => {
    const request = await create()
    const [other, waiting] = [await create(), collect(request.collect, '--wait')]
    expect(await collect(other.collect, '--wait', '--for', '1s')).toMatchObject({ code: 6 })
    await submit(request.link, 'später')
    expect((await waiting).stdout.toString()).toBe('später')
  })

  test('request show and request close use the links without opening anything', async () => {
    const request = await create('--title', TITLE)
    const show = async (link: string) =>
      JSON.parse((await run(['request', 'show', '-', '--json'], { stdin: link })).stdout.toString())
    expect(await show(request.link)).toMatchObject({ title: TITLE, submissions_left: 1, files: true })
    await submit(request.link, TEXT)
    expect(await show(request.collect)).toMatchObject({ title: TITLE, submissions: [{ opened: false, files: 0 }] })
    expect(await run(['request', 'close', '-'], { stdin: request.link })).toMatchObject({ code: 2 })
    expect(await run(['request', 'close', '-'], { stdin: request.collect })).toMatchObject({ code: 0 })
    expect(await collect(request.collect)).toMatchObject({ code: 3 })
  })

  test('a damaged link is reported without a request', async () => {
    const { link, collect: collectLink } = await create()
    expect(await submit(link.slice(0, -1), TEXT)).toMatchObject({ code: 5 })
    expect(await submit(collectLink, TEXT)).toMatchObject({ code: 2 })
    const swapped = await collect(link)
    expect(swapped.stderr).toContain('this is a request link; a collect link is needed')
  })

  test('text, title, instructions, file names and keys are in no log', async () => {
    const request = await create('--title', TITLE, '--instructions', INSTRUCTIONS)
    await submit(request.link, TEXT)
    await collect(request.collect)
    const key = parseCollectLink(request.collect).requestKey
    const canaries = { text: TEXT, title: TITLE, instructions: INSTRUCTIONS, fileName: FILE_NAME, key }
    expect(cli.server.log()).toContain('/api/v1/request/:id/submission')
    expect(findCanaries(Buffer.from(cli.server.log()), canaries)).toEqual([])
  })
})

describe('a server that changes what it returns', () => {
  let proxy: Server
  let change: (path: string, body: Record<string, unknown>) => Record<string, unknown>
  const seen: string[] = []
  let isDown = false
  let cutOff = 0
  /** Ids of created requests. The response with the first one is lost. */
  const created: string[] = []
  beforeAll(async () => {
    proxy = createServer(async (request, response): Promise<unknown> => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const path = request.url ?? ''
      if (isDown) {
        cutOff += 1
        return request.socket.destroy()
      }
      seen.push(`${request.method} ${path.replace(/[\w-]{22}/g, ':id')}`)
      const method = request.method ?? 'GET'
      const headers = { 'content-type': 'application/json' }
      const { 'idempotency-key': key } = request.headers
      const sent = { ...headers, ...(key === undefined ? {} : { 'idempotency-key': String(key) }) }
      const init = { method, headers: sent, ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}) }
      const answer = await fetch(cli.server.url + path, init)
      const bytes = Buffer.from(await answer.arrayBuffer())
      if (path === '/api/v1/request') {
        created.push(JSON.parse(bytes.toString()).id)
        if (created.length === 1) return request.socket.destroy()
      }
      const isJson = answer.headers.get('content-type')?.startsWith('application/json')
      response.writeHead(answer.status, headers)
      return response.end(isJson ? JSON.stringify(change(path, JSON.parse(bytes.toString()))) : bytes)
    })
    await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => void proxy.close())
  /** Arguments of `requests.open` for a request link. */
  const opening = (link: string) => {
    const { id, shareSecret } = parseRequestLink(link)
    return [id, { submit: deriveShareKeys(shareSecret).submitProof }, anonymous(null)] as const
  }
  const throughProxy = (link: string) =>
    link.replace(cli.server.url, `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`)

  test('a create whose response is lost is repeated, and creates one request', async () => {
    change = (_, body) => body
    created.length = 0
    const server = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
    const file = join(cli.folder, 'repeated.link')
    const { stdout, code } = await run(['request', 'create', '--server', server, '--collect-file', file], { env })
    expect(code).toBe(0)
    expect(created).toHaveLength(2)
    expect(new Set(created).size).toBe(1)
    const link = stdout.toString().trim()
    expect(await submit(link, TEXT)).toMatchObject({ code: 0 })
    expect((await collect((await readFile(file, 'utf8')).trim())).stdout.toString()).toBe(TEXT)
  })

  test('CRY-13: another recipient stops the submission before anything is encrypted', async () => {
    const request = await create()
    const foreign = (await createRequestKeys(null)).body.recipient
    change = (path, body) => (path.endsWith('/open') ? { ...body, recipient: foreign } : body)
    seen.length = 0
    const { stderr, code } = await submit(throughProxy(request.link), TEXT)
    expect(code).toBe(9)
    expect(stderr).toContain('this request was tampered with')
    expect(seen).toEqual(['POST /api/v1/request/:id/open'])
    const shown = await run(['request', 'show', '-'], { stdin: throughProxy(request.link) })
    expect(shown).toMatchObject({ code: 9, stdout: Buffer.alloc(0) })
    expect(await openRequest(cli.server.app, ...opening(request.link))).toMatchObject({ submissionsLeft: 1 })
  })

  test('CRY-13: the note of another request stops the submission before anything is read or encrypted', async () => {
    const [request, other] = [await create('--title', TITLE), await create('--title', 'canary-other-4725')]
    const { note } = await openRequest(cli.server.app, ...opening(other.link))
    change = (path, body) => (path.endsWith('/open') ? { ...body, note } : body)
    seen.length = 0
    const { stderr, code } = await submit(throughProxy(request.link), TEXT)
    expect({ code, stderr: stderr.includes('canary-other') }).toEqual({ code: 9, stderr: false })
    expect(seen).toEqual(['POST /api/v1/request/:id/open'])
  })

  test('files of a submission of another request are not saved', async () => {
    const [request, other] = [await create(), await create()]
    const file = await cli.writeFile('swapped.bin', BYTES)
    for (const { link } of [other, request]) expect(await submit(link, '', '--file', file)).toMatchObject({ code: 0 })
    const first: Record<string, unknown>[] = []
    change = (path, body) => {
      if (!/\/secret\/[^/]+$/.test(path)) return body
      first.push(body)
      return first[0] ?? body
    }
    expect(await collect(throughProxy(other.collect), '--out-dir', 'right')).toMatchObject({ code: 0 })
    const swapped = await collect(throughProxy(request.collect), '--out-dir', 'wrong')
    expect(swapped).toMatchObject({ code: 9, stdout: Buffer.alloc(0) })
    expect(await readdir(join(cli.folder, 'wrong')).catch(() => [])).toEqual([])
  })

  test('collect --wait goes on after an outage, and fails at once if the server never responded', async () => {
    const request = await create()
    const unreachable = collect(request.collect.replace(/:\d+/, ':1'), '--wait')
    let lists = 0
    change = (path, body) => {
      if (path.endsWith('/collect')) lists += 1
      return body
    }
    const waiting = collect(throughProxy(request.collect), '--wait')
    await expect.poll(() => lists).toBeGreaterThan(0)
    isDown = true
    const refused = cutOff
    await expect.poll(() => cutOff).toBeGreaterThan(refused + 1)
    await submit(request.link, 'später')
    isDown = false
    expect((await waiting).stdout.toString()).toBe('später')
    expect(await unreachable).toMatchObject({ code: 6 })
  })

  test('CRY-13: a note of another request and a submission of another request are refused', async () => {
    const [request, other] = [await create('--title', TITLE), await create('--title', TITLE)]
    for (const each of [request, other]) await submit(each.link, TEXT)
    /** Returns the first response to a path also for the next request of this kind. */
    const repeatFirst = (kind: RegExp) => {
      const responses: Record<string, unknown>[] = []
      return (path: string, body: Record<string, unknown>) => {
        if (!kind.test(path)) return body
        responses.push(body)
        return responses[0] ?? body
      }
    }
    change = repeatFirst(/\/collect$/)
    await run(['request', 'show', '-'], { stdin: throughProxy(other.collect) })
    const shown = await run(['request', 'show', '-'], { stdin: throughProxy(request.collect) })
    expect(shown).toMatchObject({ code: 9, stdout: Buffer.alloc(0) })
    change = repeatFirst(/\/secret\/[^/]+$/)
    expect(await collect(throughProxy(other.collect))).toMatchObject({ code: 0 })
    const collected = await collect(throughProxy(request.collect))
    expect(collected).toMatchObject({ code: 9, stdout: Buffer.alloc(0) })
  })
})
