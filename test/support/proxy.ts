/** A connection that can be listened to and cut: TCP between a client and a server. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface RunningProxy {
  url: string
  /** Every byte that went through, in both directions. */
  traffic(): Buffer
  /** Lets the next request that matches reach the server, and cuts the connection instead of handing on the answer. */
  cutAnswerTo(request: RegExp): void
  /** Breaks all connections there are as soon as so many more bytes went through. New ones are not harmed. */
  cutAfter(bytes: number): void
  /** The answers that were cut off. */
  lost(): string[]
  close(): Promise<void>
}

/** Listens on the loopback and hands everything on to the server of `target`. */
export async function startProxy(target: string): Promise<RunningProxy> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  const passed: Buffer[] = []
  const lost: string[] = []
  let victim: RegExp | null = null
  let left = Number.POSITIVE_INFINITY
  const pass = (chunk: Buffer, to: Socket) => {
    passed.push(chunk)
    left -= chunk.length
    if (left > 0) return void to.write(chunk)
    left = Number.POSITIVE_INFINITY
    for (const socket of sockets) socket.destroy()
  }
  const listener = createServer((client) => {
    const server = connect(Number(port), hostname)
    let isDoomed = false
    client.on('data', (chunk) => {
      if (victim?.test(chunk.toString('latin1'))) {
        victim = null
        isDoomed = true
      }
      pass(chunk, server)
    })
    server.on('data', (chunk) => {
      if (!isDoomed) return pass(chunk, client)
      passed.push(chunk)
      lost.push(chunk.toString())
      client.destroy()
    })
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(one)
      one.on('error', () => {})
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  return {
    url: `http://localhost:${(listener.address() as AddressInfo).port}`,
    traffic: () => Buffer.concat(passed),
    cutAnswerTo: (request) => {
      victim = request
    },
    cutAfter: (bytes) => {
      left = bytes
    },
    lost: () => lost,
    async close() {
      for (const socket of sockets) socket.destroy()
      listener.close()
      await once(listener, 'close')
    },
  }
}
