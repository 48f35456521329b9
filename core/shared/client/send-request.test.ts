/** Error responses of a Mayfly server, of other software, and of proxies. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { ApiError, createRequest, NetworkError } from './send-request.js'

async function receive(status: number, body: string, init: ResponseInit = {}): Promise<object> {
  const fetch = async () => new Response(body, { status, ...init })
  const error = await createRequest({ server: 'http://localhost', fetch })
    .json({ method: 'GET', path: '/x' })
    .catch((error) => error)
  if (!(error instanceof ApiError)) throw error
  return error.body
}

test('a response with a code is kept', async () => {
  const body = { statusCode: 423, error: 'Locked', code: 'secret.locked', message: 'é', retryAfter: 9 }
  expect(await receive(423, JSON.stringify(body))).toEqual(body)
})

test.each([401, 403, 409, 500])('the message of a response without a code is kept, status %i', async (status) => {
  const body = { statusCode: status, message: 'Your account is frozen until Monday, é.' }
  expect(await receive(status, JSON.stringify(body), { statusText: 'Reason' })).toEqual({
    statusCode: status,
    error: 'Reason',
    code: `http.${status}`,
    message: body.message,
  })
})

test.each(['<h1>Bad Gateway</h1>', '', 'null', '{"message":""}', '{"message":7}'])(
  'a response without a message has the reason phrase twice: %s',
  async (body) => {
    const plain = { statusCode: 502, code: 'http.502' }
    expect(await receive(502, body, { statusText: 'Bad Gateway' })).toEqual({
      ...plain,
      error: 'Bad Gateway',
      message: 'Bad Gateway',
    })
    expect(await receive(502, body)).toEqual({ ...plain, error: 'status 502', message: 'status 502' })
  },
)

test('Retry-After of a proxy is read', async () => {
  expect(await receive(429, '', { headers: { 'retry-after': '30' } })).toMatchObject({ retryAfter: 30 })
  expect(await receive(429, '', { headers: { 'retry-after': 'Mon, 23 Nov 2026 02:10:00 GMT' } })).not.toHaveProperty(
    'retryAfter',
  )
})

test('without a custom fetch, a client does not read a response that is too large', async () => {
  const server = createServer((_, response) => response.writeHead(200, { 'content-length': 2 ** 30 }).write('{"a":"é'))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  server.unref()
  const { json } = createRequest({ server: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
  const error = await json({ method: 'GET', path: '/x' }).catch((error: unknown) => error)
  server.closeAllConnections()
  expect(error).toBeInstanceOf(NetworkError)
  expect((error as NetworkError).cause).toMatchObject({ code: 'RESPONSE_TOO_LARGE' })
})
