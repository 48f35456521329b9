/** A TCP proxy between a client and a server that records the traffic, cuts connections or stops answering. */
import type { Socket } from 'node:net'
import { startTcpProxy } from './tcp-proxy.js'

export interface RunningProxy {
  url: string
  /** All bytes of both directions. */
  traffic(): Buffer
  /** Lets the next matching request reach the server, then cuts the connection instead of passing on the response. */
  cutAnswerTo(request: RegExp): void
  /** Breaks all open connections after this many more bytes. Later connections work. */
  cutAfter(bytes: number): void
  /** Responses that were cut off. */
  lost(): string[]
  /** From now on accepts connections and passes nothing on, in either direction. */
  hold(): void
  close(): Promise<void>
}

/** Listens on the loopback and passes everything on to the server of `target`. */
export async function startProxy(target: string): Promise<RunningProxy> {
  const { hostname, port } = new URL(target)
  const passed: Buffer[] = []
  const lost: string[] = []
  let victim: RegExp | null = null
  let left = Number.POSITIVE_INFINITY
  let isHolding = false
  const pass = (chunk: Buffer, to: Socket) => {
    passed.push(chunk)
    left -= chunk.length
    if (left > 0) return void to.write(chunk)
    left = Number.POSITIVE_INFINITY
    proxy.cut()
  }
  const relay = (client: Socket, server: Socket) => {
    let isDoomed = false
    client.on('data', (chunk) => {
      if (isHolding) return
      if (victim?.test(chunk.toString('latin1'))) {
        victim = null
        isDoomed = true
      }
      pass(chunk, server)
    })
    server.on('data', (chunk) => {
      if (isHolding) return
      if (!isDoomed) return pass(chunk, client)
      passed.push(chunk)
      lost.push(chunk.toString())
      client.destroy()
    })
  }
  const proxy = await startTcpProxy(() => ({ port: Number(port), host: hostname }), relay)
  return {
    url: `http://localhost:${proxy.port}`,
    traffic: () => Buffer.concat(passed),
    cutAnswerTo: (request) => {
      victim = request
    },
    cutAfter: (bytes) => {
      left = bytes
    },
    lost: () => lost,
    hold() {
      isHolding = true
    },
    close: proxy.close,
  }
}
