/**
 * Minimal HTTP client for load: writes prepared requests and reads only what it needs, so that it uses little CPU time.
 */
import { connect, type Socket } from 'node:net'

export interface HttpRequest {
  method: 'GET' | 'POST'
  path: string
  /** JSON, ASCII only. */
  body?: string
  /** Further header lines, each with its line end. */
  headers?: string
}

export interface HttpResponse {
  status: number
  body: string
}

export interface Connection {
  /** Sends a formatted request. One at a time. Rejects when the server closes the connection before it responds. */
  send(request: string): Promise<HttpResponse>
  close(): void
}

/** Headers that a browser sends with a request of the page. */
const BROWSER_HEADERS = [
  'accept: */*',
  'accept-encoding: gzip, deflate, br',
  'accept-language: en-US,en;q=0.9',
  'sec-fetch-dest: empty',
  'sec-fetch-mode: cors',
  'sec-fetch-site: same-origin',
  'user-agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
].join('\r\n')

/** Formats a request as ASCII. */
export function formatRequest(url: string, { method, path, body, headers = '' }: HttpRequest): string {
  const { host, origin } = new URL(url)
  const head = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\norigin: ${origin}\r\n${BROWSER_HEADERS}\r\n${headers}`
  if (body === undefined) return `${head}\r\n`
  return `${head}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
}

interface Pending {
  resolve(response: HttpResponse): void
  reject(error: Error): void
}

/** Opens a keep-alive connection, and a new one when the server has closed the last one after a response. */
export function openConnection(url: string): Connection {
  const { hostname, port } = new URL(url)
  let socket: Socket | null = null
  let pending: Pending | null = null
  let received = ''

  function open(): Socket {
    const opened = connect(Number(port), hostname).setNoDelay().setEncoding('latin1')
    opened.on('data', (chunk) => {
      received += chunk
      const response = parseResponse(received)
      if (!response || !pending) return
      const { resolve } = pending
      received = ''
      pending = null
      if (response.isLast) socket = null
      resolve(response)
    })
    opened.on('error', (error) => pending?.reject(error))
    opened.on('close', () => {
      if (socket === opened) socket = null
      if (socket === null) pending?.reject(new Error('the server closed the connection before it responded'))
    })
    return opened
  }

  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        pending = { resolve, reject }
        socket ??= open()
        socket.write(request, 'latin1')
      }),
    close: () => void socket?.destroy(),
  }
}

/** Null while a part of the response is missing. Every response has a content-length. */
function parseResponse(received: string): (HttpResponse & { isLast: boolean }) | null {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return null
  const head = received.slice(0, end)
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
  if (received.length < end + 4 + length) return null
  return {
    status: Number(head.slice(9, 12)),
    isLast: /\r\nconnection: close/i.test(head),
    body: received.slice(end + 4),
  }
}
