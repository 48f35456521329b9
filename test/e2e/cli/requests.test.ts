/**
 * Requests for secrets in shells and on terminals: the commands of docs/receive-a-secret.md, and where the links go.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type LocalServer, startLocalServer } from '#test/local-server'
import { needs } from '#test/needs'
import { ROOT } from '#test/source-files'
import { shell, terminal } from '#test/spawn-cli'

const TEXT = 'päss "wörd" \\n %s ☃\nzwei\n\n'
const CTRL_C = '\x03'
const REQUEST_LINK = /http:\/\/localhost:\d+\/request\/[\w-]{22}#1[\w-]{66}/
const COLLECT_LINK = /http:\/\/localhost:\d+\/collect\/[\w-]{22}#1[\w-]{45}/

const page = readFileSync(join(ROOT, 'docs/receive-a-secret.md'), 'utf8')
const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code)

let server: LocalServer
let env: Record<string, string>
let cwd: string
beforeAll(async () => {
  server = await startLocalServer({ env: { MAYFLY_LOG: 'debug' }, instanceSettings: { who_can_request: 'anyone' } })
  env = { MAYFLY_SERVER: server.url }
})
afterAll(() => server?.stop())
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'mayfly-requests-'))
  for (const name of ['password.txt', '.env', 'report.pdf', 'logs.tgz']) await writeFile(join(cwd, name), TEXT)
  return () => rm(cwd, { recursive: true, force: true })
})
const inShell = (line: string) => shell(line, { env, cwd })
const onTerminal = (line: string) => terminal(line, { env, cwd })
const left = (name: string) => readFileSync(join(cwd, name), 'utf8')

test('the commands of the page run in a pipe, and the texts arrive unchanged', async () => {
  const [short = '', answer = '', collect = ''] = blocks
  expect(await inShell(short)).toMatchObject({ code: 0, stdout: Buffer.from(TEXT) })
  await rm(join(cwd, 'collect.link'))
  // The file, then the text: the request has two submissions.
  const create = 'LINK=$(mayfly request create --submissions 2 --collect-file collect.link)\n'
  const ran = await inShell(`${create}${answer}${collect}`)
  expect(ran.code, ran.stderr).toBe(0)
  expect(left('answer')).toBe(TEXT)
  expect(readdirSync(join(cwd, 'in')).sort()).toEqual(['logs.tgz', 'report.pdf'])
})

test('the links go to stdout and to a file descriptor, and stderr has neither', async () => {
  const ran = await inShell('mayfly request create --collect-fd 3 3> kept > sent')
  expect(ran.code, ran.stderr).toBe(0)
  expect(left('sent')).toMatch(new RegExp(`^${REQUEST_LINK.source}\n$`))
  expect(left('kept')).toMatch(new RegExp(`^${COLLECT_LINK.source}\n$`))
  expect(ran.stderr).not.toContain('#')
})

describe('on a terminal', needs('script'), () => {
  test('request create never shows the collect link, and collect asks for it', async () => {
    const created = onTerminal('mayfly request create')
    expect(await created.ended).toBe(0)
    expect(created.screen()).toMatch(REQUEST_LINK)
    expect(created.screen()).not.toMatch(COLLECT_LINK)
    const [file = ''] = readdirSync(cwd).filter((name) => name.startsWith('collect-'))
    expect(left(file)).toMatch(COLLECT_LINK)
    expect(statSync(join(cwd, file)).mode & 0o777).toBe(0o600)

    const [link = ''] = REQUEST_LINK.exec(created.screen()) ?? []
    const answer = onTerminal(`mayfly request submit '${link}'`)
    await answer.sees(/end with Ctrl-D/)
    answer.types('ö ☃\r\x04')
    expect(await answer.ended, answer.screen()).toBe(0)

    const collected = onTerminal('mayfly request collect --wait')
    await collected.sees(/[Ll]ink/)
    collected.types(`${left(file).trim()}\r`)
    await collected.sees(/ö ☃/)
    expect(await collected.ended).toBe(0)
  })

  test('Ctrl-C ends --wait with 130', async () => {
    expect((await inShell('mayfly request create --collect-file kept')).code).toBe(0)
    const before = server.log().length
    const waiting = onTerminal(`mayfly request collect --wait '${left('kept').trim()}'`)
    await expect.poll(() => server.log().slice(before)).toContain('/request/:id/collect')
    waiting.types(CTRL_C)
    expect(await waiting.ended).toBe(130)
  })
})
