/** Requests for other hosts are refused, and links never contain a host from a request. */
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { onMemory, type Site } from '#test/for-each-storage'

const BODY = JSON.stringify({ text: 'text', ttl: 60 })
const app = { settings: { allowedHosts: ['Mayfly.internal', '10.0.0.11'] } }

/** Sends raw lines and returns status and body. */
function send({ port }: Site, lines: string[], body = ''): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk)).on('error', reject)
    socket.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      resolve({ status: Number(text.slice(9, 12)), text })
    })
    const all = [...lines, 'Connection: close', ...(body && [`Content-Length: ${body.length}`])]
    socket.write(`${all.join('\r\n')}\r\n\r\n${body}`)
  })
}

const ask = async (site: Site, ...lines: string[]) =>
  (await send(site, ['GET /api/v1/settings HTTP/1.1', ...lines])).status

onMemory(
  (site) => {
    test.each([
      'secrets.example.org',
      'SECRETS.example.org:443',
      'secrets.example.org:1234',
      'mayfly.INTERNAL',
      '10.0.0.11:3000',
      'localhost:3000',
      '127.0.0.1',
      '127.1.2.3',
      '[::1]:3000',
    ])('Host: %s is accepted', async (host) => {
      expect(await ask(site, `Host: ${host}`)).toBe(200)
    })

    test.each([
      'evil.example',
      'secrets.example.org.evil.example',
      'evil.example/secrets.example.org',
      'secrets.example.org@evil.example',
      'user@secrets.example.org',
      'user:password@secrets.example.org',
      'secrets.example.org:evil',
      'secrets.example.org.',
      'secrets.example.org, evil.example',
      'localhost.evil.example',
      '10.0.0.12',
      '[::ffff:10.0.0.12]',
      '0x7f000001',
      '2130706433',
      '[::1',
      '',
    ])('SEC-16: Host: %j is refused', async (host) => {
      const { status, text } = await send(site, ['GET /api/v1/settings HTTP/1.1', `Host: ${host}`])
      expect(status).toBe(421)
      expect(text).toContain('"code":"request.wrong_host"')
    })

    test('SEC-16: two Host headers, another host in the URL and a missing Host are refused', async () => {
      const own = 'Host: secrets.example.org'
      expect(await ask(site, own, 'Host: evil.example')).toBe(421)
      expect(await ask(site, 'Host: evil.example', own)).toBe(421)
      expect(await ask(site, own, own)).toBe(421)
      const absolute = async (url: string) => (await send(site, [`GET ${url} HTTP/1.1`, own])).status
      expect(await absolute('http://secrets.example.org/api/v1/settings')).toBe(200)
      expect(await absolute('http://evil.example/api/v1/settings')).toBe(421)
      expect(await absolute('http://secrets.example.org@evil.example/api/v1/settings')).toBe(421)
      expect(await absolute('http://user@secrets.example.org/api/v1/settings')).toBe(421)
      expect((await send(site, ['GET /api/v1/settings HTTP/1.0'])).status).toBe(421)
    })

    test('pages, unknown paths and refused methods check the host too', async () => {
      for (const line of [
        'GET / HTTP/1.1',
        'GET /secret/x HTTP/1.1',
        'GET /api HTTP/1.1',
        'POST /api/v1/secret HTTP/1.1',
      ]) {
        expect((await send(site, [line, 'Host: evil.example'])).status).toBe(421)
      }
    })

    test('/healthz and /readyz answer under any host', async () => {
      for (const path of ['/healthz', '/readyz']) {
        expect((await send(site, [`GET ${path} HTTP/1.1`, 'Host: 10.1.2.3:3000'])).status).toBe(204)
      }
    })

    test('SEC-16: links are made from publicUrl, not from X-Forwarded-Host or Forwarded', async () => {
      const type = 'Content-Type: application/json'
      for (const lie of ['X-Forwarded-Host: evil.example', 'Forwarded: host=evil.example', 'X-Forwarded-Proto: http']) {
        const { status, text } = await send(
          site,
          ['POST /api/v1/secret HTTP/1.1', 'Host: mayfly.internal', type, lie],
          BODY,
        )
        expect(status).toBe(201)
        expect(text).toContain('"url":"https://secrets.example.org/secret/')
        expect(text).not.toContain('evil')
      }
    })
  },
  { shared: true, app },
)

onMemory(
  (site) => {
    test('without publicUrl any IP address is accepted as host and any other name is refused', async () => {
      await site.restart({ settings: { publicUrl: 'http://localhost:3000', anyAddress: true } })
      for (const host of ['10.0.0.12:3000', '[2001:db8::1]', 'localhost'])
        expect(await ask(site, `Host: ${host}`)).toBe(200)
      expect(await ask(site, 'Host: evil.example')).toBe(421)
    })

    test('V16.3.1: refused hosts are logged once, without the name, and noted in the audit log', async () => {
      for (let n = 0; n < 5; n++) await ask(site, `Host: evil-${n}.example`)
      expect(site.app.logged.filter((line) => line.includes('allowedHosts'))).toHaveLength(1)
      expect(site.app.logged.join()).not.toContain('evil')
      await site.app.audit.flush()
      const entries = await site.app.storage.audit.list({ action: 'request.wrong_host' }, { skip: 0, take: 10 })
      expect(entries).toHaveLength(1)
    })
  },
  { app },
)
