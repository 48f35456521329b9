/** A TCP proxy between browser and server that records requests and can drop a response. */
import type { Socket } from 'node:net'
import { startTcpProxy } from '../tcp-proxy.js'

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
  let textToDrop: string | null = null
  const relay = (browser: Socket, upstream: Socket) => {
    let isDropped = false
    browser.on('data', (chunk) => {
      chunks.push(chunk)
      if (textToDrop !== null && chunk.includes(textToDrop)) {
        textToDrop = null
        isDropped = true
      }
      upstream.write(chunk)
    })
    upstream.on('data', (chunk) => (isDropped ? browser.destroy() : browser.write(chunk)))
  }
  const { port, close } = await startTcpProxy(() => proxy, relay)
  const proxy: RecordingProxy = {
    url: `http://localhost:${port}`,
    port: 0,
    sent: () => Buffer.concat(chunks),
    dropResponseTo(text) {
      textToDrop = text
    },
    close,
  }
  return proxy
}
