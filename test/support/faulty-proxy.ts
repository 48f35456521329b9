/** An HTTP proxy in front of a real server that injects failures which the server does not produce. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'

/** Handles a request instead of forwarding it. `pass` returns the response of the server. */
export type Fault = (
  request: IncomingMessage,
  response: ServerResponse,
  pass: () => Promise<IncomingMessage>,
) => unknown

export interface FaultyProxy {
  url: string
  /** From now on this happens to requests, or to so many of them; null: they are passed on. */
  fail(fault: Fault | null, times?: number): void
  /** Methods of the requests since the last `fail`. */
  seen(): string[]
  /** From now on requests go to this server. */
  retarget(url: string): void
  /** Accepts no connection until `up`, and cuts the open ones. */
  down(): Promise<void>
  up(): Promise<void>
  close(): Promise<void>
}

export async function startFaultyProxy(first: string): Promise<FaultyProxy> {
  let target = first
  let left = 0
  let current: Fault = passOn
  let seen: string[] = []
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const fault = left-- > 0 ? current : passOn
    seen.push(request.method ?? '')
    request.on('error', () => {})
    response.on('error', () => {})
    const pass = () => {
      if (request.headers.expect) response.writeContinue()
      return forward(target, request)
    }
    void Promise.resolve(fault(request, response, pass)).catch(() => response.destroy())
  }
  // Connections stay open: a client without retries could use one while it is closed for being idle.
  const server = createServer({ keepAliveTimeout: 0 }, answer).on('checkContinue', answer)
  const up = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const down = async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  const port = await up(0)
  return {
    url: `http://127.0.0.1:${port}`,
    fail(fault, times = Number.POSITIVE_INFINITY) {
      current = fault ?? passOn
      left = fault ? times : 0
      seen = []
    },
    seen: () => seen,
    retarget(url) {
      target = url
    },
    down,
    up: async () => void (await up(port)),
    close: async () => void (server.listening && (await down())),
  }
}

/** The server signs for the name by which it is called, so that name stays. */
async function forward(target: string, request: IncomingMessage): Promise<IncomingMessage> {
  const { expect, ...headers } = request.headers
  const onwards = send(new URL(request.url ?? '/', target), { method: request.method, headers, agent: false })
  request.once('close', () => request.complete || onwards.destroy())
  request.pipe(onwards)
  const [response] = (await once(onwards, 'response')) as [IncomingMessage]
  return response
}

/** Forwards the request and the response. */
export const passOn: Fault = async (_, response, pass) => {
  const answer = await pass()
  response.writeHead(answer.statusCode ?? 502, answer.headers)
  answer.on('error', () => response.destroy()).pipe(response)
}

/** An error response of S3 with this code; without a code, the response of a proxy without its server. */
export const answering =
  (status: number, code?: string): Fault =>
  (_, response) => {
    response.writeHead(status, { 'content-type': code ? 'application/xml' : 'text/html' })
    const message = 'not for anybody’s log: hunter2'
    response.end(
      code ? `<Error><Code>${code}</Code><Message>${message}</Message></Error>` : `<h1>${status}</h1>${message}`,
    )
  }

/** Never responds. */
export const silent: Fault = () => {}

export const hangingUp: Fault = (request) => request.socket.destroy()

/** The server processes the request, but the response is lost. */
export const losingTheAnswer: Fault = async (request, _, pass) => {
  await once((await pass()).resume(), 'end')
  request.socket.destroy()
}

/** So much of the body, and then: the end of the connection, or nothing more. */
export const breakingOff =
  (bytes: number, end: 'cut' | 'stall'): Fault =>
  async (_, response, pass) => {
    const answer = await pass()
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    let left = bytes
    for await (const chunk of answer) {
      response.write(chunk.subarray(0, left))
      left -= chunk.length
      if (left <= 0) break
    }
    if (end === 'cut') response.destroy()
  }

/** So many bytes more are announced than come. */
export const promisingMore =
  (bytes: number): Fault =>
  async (_, response, pass) => {
    const answer = await pass()
    const length = Number(answer.headers['content-length']) + bytes
    response.writeHead(answer.statusCode ?? 502, { ...answer.headers, 'content-length': length })
    for await (const chunk of answer) response.write(chunk)
    response.destroy()
  }

/** All of it, a piece at a time. */
export const trickling =
  (pieces: number, pauseMs: number): Fault =>
  async (_, response, pass) => {
    const answer = await pass()
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    const parts: Buffer[] = []
    for await (const chunk of answer) parts.push(chunk)
    const body = Buffer.concat(parts)
    const size = Math.ceil(body.length / pieces)
    for (let at = 0; at < body.length; at += size) {
      response.write(body.subarray(at, at + size))
      await setTimeout(pauseMs)
    }
    response.end()
  }
