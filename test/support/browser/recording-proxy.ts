/** A TCP proxy between browser and server that records requests and can drop a response. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface RecordingProxy {
  url: string
  /** The server's own, on the loopback. */
  port: number
  /** Every byte that browsers sent. */
  sent(): Buffer
  /** Drops the response to the next request that contains this text. */
  dropResponseTo(text: string): void
  close(): Promise<void>
}

export async function startRecordingProxy(): Promise<RecordingProxy> {
  const chunks: Buffer[] = []
  const sockets = new Set<Socket>()
  let textToDrop: string | null = null
  const server = createServer((browser) => {
    const upstream = connect(proxy.port, '127.0.0.1')
    let isDropped = false
    for (const [socket, other] of [
      [browser, upstream],
      [upstream, browser],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => other.destroy()).on('close', () => other.destroy())
    }
    browser.on('data', (chunk) => {
      chunks.push(chunk)
      if (textToDrop !== null && chunk.includes(textToDrop)) {
        textToDrop = null
        isDropped = true
      }
      upstream.write(chunk)
    })
    upstream.on('data', (chunk) => (isDropped ? browser.destroy() : browser.write(chunk)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const proxy: RecordingProxy = {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    port: 0,
    sent: () => Buffer.concat(chunks),
    dropResponseTo(text) {
      textToDrop = text
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
  return proxy
}
