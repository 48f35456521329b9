/** A NATS server with JetStream on the loopback, as a process of its own on a free port. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { freePort } from './free-port.js'

export interface NatsServer {
  port: number
  folder: string
  /** Starts it again on the same data and port. */
  start(): Promise<void>
  /** At once, as in a crash. */
  stop(): Promise<void>
  /** Freezes it: connections stay open without a response. */
  pause(): void
  /** Stops it and removes its data. */
  end(): Promise<void>
}

/** `lines`: of its configuration, given its folder. Needs `nats`. */
export async function startNats(lines: (folder: string) => string = () => ''): Promise<NatsServer> {
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-nats-'))
  const port = await freePort()
  const file = join(folder, 'nats.conf')
  await writeFile(
    file,
    `listen: "127.0.0.1:${port}"\njetstream { store_dir: ${JSON.stringify(folder)} }\n${lines(folder)}`,
  )
  let child: ChildProcess
  const start = async () => {
    child = spawn('nats-server', ['-c', file], { stdio: 'ignore' })
    while (!(await responds(port))) {
      if (child.exitCode !== null) throw new Error(`nats-server ended with ${child.exitCode}`)
      await sleep(20)
    }
  }
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  await start()
  return {
    port,
    folder,
    start,
    stop,
    pause: () => void child.kill('SIGSTOP'),
    end: () => stop().then(() => rm(folder, { recursive: true, force: true })),
  }
}

/** A server that is ready greets each client. */
async function responds(port: number): Promise<boolean> {
  const socket = net.connect(port, '127.0.0.1').setTimeout(1000)
  socket.on('timeout', () => socket.destroy(new Error('timeout')))
  try {
    const [greeting] = (await once(socket, 'data')) as [Buffer]
    return greeting.toString().startsWith('INFO')
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/** An event of a stream, with the headers of its message. */
export interface StoredEvent {
  id: string
  subject: string
  messageId: string
  contentType: string
  cloudEvent: Record<string, unknown>
}

/** Makes a stream for these subjects. */
export async function makeStream({ port }: NatsServer, name: string, subject = 'mayfly.>'): Promise<void> {
  await withManager(port, ({ streams }) => streams.add({ name, subjects: [subject] }))
}

/** Everything that a stream has stored, in order. */
export function readStream({ port }: NatsServer, name: string): Promise<StoredEvent[]> {
  return withManager(port, async ({ streams }) => {
    const { state } = await streams.info(name)
    const events: StoredEvent[] = []
    for (let seq = 1; seq <= state.last_seq; seq++) {
      const message = await streams.getMessage(name, { seq })
      if (!message) throw new Error(`message ${seq} is missing`)
      const cloudEvent = message.json<Record<string, unknown>>()
      events.push({
        id: String(cloudEvent.id),
        subject: message.subject,
        messageId: message.header.get('Nats-Msg-Id'),
        contentType: message.header.get('Content-Type'),
        cloudEvent,
      })
    }
    return events
  })
}

async function withManager<Result>(port: number, work: (manager: JetStreamManager) => Promise<Result>) {
  const connection = await connect({ servers: `127.0.0.1:${port}`, reconnect: false })
  try {
    return await work(await jetstreamManager(connection))
  } finally {
    await connection.close()
  }
}
