/** Sends syslog messages over UDP, TCP, TLS or a local stream socket. */
import { createSocket } from 'node:dgram'
import { readFile } from 'node:fs/promises'
import net from 'node:net'
import tls from 'node:tls'
import { withTimeout } from '#shared/with-timeout'
import type { Target } from './syslog-options.js'

/** Time limit of a connection and of one batch. Shorter than the time limit of a sink's write. */
const SEND_MS = 8000

export interface Transport {
  /** Resolves when the operating system has the messages. Syslog lacks acknowledgements. */
  send(messages: string[]): Promise<void>
  /** Connects, or resolves the host name. */
  ping(): Promise<void>
  close(): void
}

interface Certificates {
  caFile: string
  certFile: string
  keyFile: string
}

export const createTransport = (target: Target, certificates: Certificates): Transport =>
  target.protocol === 'udp' ? createUdpTransport(target) : createStreamTransport(target, certificates)

function createUdpTransport({ host, port }: Target): Transport {
  const socket = createSocket({ type: net.isIPv6(host) ? 'udp6' : 'udp4' })
  socket.unref()
  // Such as a refused packet of another message. Without a listener, it would end the process.
  socket.on('error', () => {})
  const sendOne = (message: string) =>
    new Promise<void>((resolve, reject) => {
      socket.send(message, port, host, (error) => (error ? reject(error) : resolve()))
    })
  return {
    async send(messages) {
      for (const message of messages) await sendOne(message)
    },
    ping: () => sendOne(''),
    close: () => socket.close(),
  }
}

/** Keeps one connection and opens it again at the next send after it was lost. */
function createStreamTransport(target: Target, certificates: Certificates): Transport {
  let socket: net.Socket | null = null

  async function connect(): Promise<net.Socket> {
    if (socket && !socket.destroyed && socket.writable) return socket
    const opened = await openSocket(target, certificates)
    // A server that closes the connection has sent its FIN before the next send.
    opened.on('error', () => {}).on('end', () => opened.destroy())
    opened.unref().resume()
    socket = opened
    return opened
  }

  return {
    async send(messages) {
      const opened = await connect()
      const data = messages.map(frame).join('')
      try {
        await write(opened, data)
      } catch (error) {
        opened.destroy()
        throw error
      }
    },
    ping: async () => void (await connect()),
    close: () => void socket?.end(),
  }
}

/** Octet counting of RFC 6587 and RFC 5425. */
const frame = (message: string): string => `${Buffer.byteLength(message)} ${message}`

async function openSocket(target: Target, certificates: Certificates): Promise<net.Socket> {
  const { protocol, host, port, path } = target
  if (protocol === 'unix') return settle(net.connect({ path }), 'connect')
  if (protocol === 'tcp') return settle(net.connect({ host, port }), 'connect')
  const read = async (file: string) => (file === '' ? undefined : readFile(file))
  const [ca, cert, key] = await Promise.all(
    [certificates.caFile, certificates.certFile, certificates.keyFile].map(read),
  )
  const servername = net.isIP(host) ? {} : { servername: host }
  return settle(tls.connect({ host, port, ...servername, ca, cert, key }), 'secureConnect')
}

/** Resolves with the socket at the event; rejects at an error and after the time limit. */
function settle(socket: net.Socket, event: 'connect' | 'secureConnect'): Promise<net.Socket> {
  return new Promise((resolve, reject) => {
    socket.setTimeout(SEND_MS, () => socket.destroy(timeoutError()))
    socket.once('error', reject)
    socket.once(event, () => {
      socket.setTimeout(0)
      socket.off('error', reject)
      resolve(socket)
    })
  })
}

function write(socket: net.Socket, data: string): Promise<void> {
  const written = new Promise<void>((resolve, reject) => {
    socket.write(data, (error) => (error ? reject(error) : resolve()))
  })
  return withTimeout(SEND_MS, written, timeoutError)
}

const timeoutError = () => Object.assign(new Error('timed out'), { code: 'ETIMEDOUT' })
