/** Just enough of an HTTP client to send prepared requests at the cost of moving their bytes. */
import { connect, type Socket } from 'node:net'

export interface Wire {
  /** Resolves with the body of a success. Rejects with path, status and body of anything else. One at a time. */
  post(path: string, body: string): Promise<string>
  close(): void
}

interface Waiting {
  path: string
  resolve(body: string): void
  reject(error: Error): void
}

/** One connection that stays open, and is opened anew when the server has closed it after an answer. */
export function openWire(url: string): Wire {
  const { hostname, port } = new URL(url)
  let socket: Socket | null = null
  let waiting: Waiting | null = null
  let received = ''

  function open(): Socket {
    const opened = connect(Number(port), hostname).setNoDelay().setEncoding('latin1')
    opened.on('data', (chunk) => {
      received += chunk
      const answer = answerIn(received)
      if (!answer || !waiting) return
      const { path, resolve, reject } = waiting
      received = ''
      waiting = null
      if (answer.closes) socket = null
      if (answer.status < 300) resolve(answer.body)
      else reject(new Error(`${path} answered ${answer.status}: ${answer.body}`))
    })
    opened.on('error', (error) => waiting?.reject(error))
    opened.on('close', () => {
      if (socket === opened) socket = null
      if (socket === null) waiting?.reject(new Error('the server closed the connection before it answered'))
    })
    return opened
  }

  return {
    post: (path, body) =>
      new Promise((resolve, reject) => {
        waiting = { path, resolve, reject }
        socket ??= open()
        socket.write(
          `POST ${path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
        )
      }),
    close: () => void socket?.destroy(),
  }
}

/** Null when the rest is still on its way. Every answer here has a length. */
function answerIn(received: string): { status: number; closes: boolean; body: string } | null {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return null
  const head = received.slice(0, end)
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
  if (received.length < end + 4 + length) return null
  return {
    status: Number(head.slice(9, 12)),
    closes: /\r\nconnection: close/i.test(head),
    body: received.slice(end + 4),
  }
}
