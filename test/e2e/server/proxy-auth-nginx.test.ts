/** The nginx example of docs/signing-in.md, run as it is, in front of a server with proxy-auth. */
import { readFile } from 'node:fs/promises'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '#test/free-port'
import { needs } from '#test/needs'
import { type RunningNginx, startNginx } from '#test/nginx'
import { type RunningServer, startServer } from '#test/start-server'

const PAGE = fileURLToPath(new URL('../../../docs/signing-in.md', import.meta.url))

/** A sign-in portal that knows users by their cookie. */
const portal = createServer(({ headers }, res) => {
  const [, name] = /session-of=(\w+)/.exec(headers.cookie ?? '') ?? []
  if (!name) return res.writeHead(401).end()
  const groups = name === 'boss' ? 'staff,admins' : 'staff'
  res.writeHead(200, { 'Remote-User': name, 'Remote-Email': `${name}@example.org`, 'Remote-Groups': groups }).end()
})

describe('behind nginx', needs('nginx'), () => {
  let server: RunningServer
  let nginx: RunningNginx
  beforeAll(async () => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    server = await startServer({
      env: {
        MAYFLY_PUBLIC_URL: url,
        MAYFLY_TRUSTED_PROXIES: '127.0.0.1',
        MAYFLY_AUTH: 'proxy-auth',
        MAYFLY_PROXY_AUTH_FROM: '127.0.0.1',
        MAYFLY_PROXY_AUTH_ADMIN_GROUPS: 'admins',
      },
    })
    await new Promise<void>((resolve) => portal.listen(0, '127.0.0.1', resolve))
    const [, example = ''] = /```nginx\n([\s\S]*?)```/.exec(await readFile(PAGE, 'utf8')) ?? []
    const here = example
      .replaceAll('10.0.0.2:3000', `127.0.0.1:${server.port}`)
      .replaceAll('10.0.0.3:9091', `127.0.0.1:${(portal.address() as AddressInfo).port}`)
      .replace('443 ssl', `127.0.0.1:${port}`)
      .replace(/ssl_certificate.*;/g, '')
    nginx = await startNginx(() => here, port)
  })
  afterAll(async () => {
    await nginx?.stop()
    await server?.stop()
    await new Promise((resolve) => (portal as Server).close(resolve))
  })

  const as = (name: string) => ({ cookie: `session-of=${name}` })
  const MALLORY = { 'Remote-User': 'boss', 'Remote-Email': 'boss@example.org', 'Remote-Groups': 'admins' }
  const account = async (headers: Record<string, string>) => {
    const response = await fetch(`${nginx.url}/api/v1/account`, { headers })
    const { user, code } = (await response.json()) as { user?: { username: string; role: string }; code?: string }
    return code ?? `${user?.username} ${user?.role}`
  }

  /** Around nginx, from another address of this machine. */
  async function directly(localAddress: string, headers: Record<string, string>): Promise<number | undefined> {
    const sent = request({ host: '127.0.0.1', port: server.port, path: '/api/v1/account', localAddress, headers }).end()
    return new Promise((resolve, reject) => {
      sent.on('error', reject)
      sent.on('response', async (response) => {
        await text(response)
        resolve(response.statusCode)
      })
    })
  }

  test('a user of the portal is signed in with the role of their groups', async () => {
    expect(await account(as('boss'))).toBe('boss admin')
    expect(await account(as('alice'))).toBe('alice user')
    expect(await account(as('alice'))).toBe('alice user')
  })

  test('a client unknown to the portal is a visitor', async () => {
    expect(await account({})).toBe('auth.required')
    expect((await fetch(`${nginx.url}/api/v1/settings`)).status).toBe(200)
    const body = JSON.stringify({ text: 'für alle ☃', ttl: 60 })
    const headers = { 'content-type': 'application/json' }
    expect((await fetch(`${nginx.url}/api/v1/secret`, { method: 'POST', headers, body })).status).toBe(201)
  })

  test('identity headers from the client are ignored', async () => {
    const forged = Object.entries(MALLORY)
    const spellings = [
      (name: string) => name,
      (name: string) => name.toUpperCase(),
      (name: string) => name.replace('-', '_'),
      (name: string) => `X-Original-${name}`,
    ]
    for (const spell of spellings) {
      const headers = Object.fromEntries(forged.map(([name, value]) => [spell(name), value]))
      expect(await account(headers)).toBe('auth.required')
      expect(await account({ ...headers, ...as('alice') })).toBe('alice user')
    }
  })

  test('identity headers around nginx count only from its address', async () => {
    expect(await directly('127.0.0.1', MALLORY)).toBe(200)
    expect(await directly('127.0.0.2', MALLORY)).toBe(401)
    expect(await directly('127.0.0.2', { ...MALLORY, 'X-Forwarded-For': '127.0.0.1' })).toBe(401)
    expect(server.log()).toContain('sign-in headers from an untrusted address ignored')
  })

  test('GET /signin redirects a visitor to the portal', async () => {
    const leads = async (headers: Record<string, string>) => {
      const { status, headers: told } = await fetch(`${nginx.url}/signin`, { redirect: 'manual', headers })
      return [status, told.get('location')]
    }
    expect(await leads({})).toEqual([302, 'https://auth.example.org/?rd=https://secrets.example.org/'])
    expect(await leads(as('alice'))).toEqual([200, null])
  })

  test('the path of the portal is not served', async () => {
    expect((await fetch(`${nginx.url}/authelia`, { headers: as('boss') })).status).toBe(404)
  })
})
