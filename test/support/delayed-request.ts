/** A request whose body arrives in two parts, with time between them for something else to happen. */
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

/**
 * Sends the head and half of a JSON body, which authenticates the request. `finish` sends the rest and returns the
 * status and the body of the response.
 */
export async function delayedPost(port: number, path: string, headers: Record<string, string>, body: object) {
  const bytes = Buffer.from(JSON.stringify(body))
  const socket = connect(port, '127.0.0.1')
  const response = text(socket)
  const head = { Host: 'secrets.example.org', 'Content-Type': 'application/json', Connection: 'close', ...headers }
  const lines = Object.entries({ ...head, 'Content-Length': bytes.length }).map(([name, value]) => `${name}: ${value}`)
  socket.write(`POST /api/v1${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  socket.write(bytes.subarray(0, 5))
  return {
    async finish(): Promise<{ status: number; body: Record<string, unknown> }> {
      socket.write(bytes.subarray(5))
      const [first = '', rest = ''] = (await response).split('\r\n\r\n')
      return { status: Number(first.split(' ')[1]), body: JSON.parse(rest) }
    },
  }
}
