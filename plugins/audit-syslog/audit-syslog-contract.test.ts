import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { AuditSink } from '#core'
import { auditSinkContract, openPlugin } from '#core/testing'
import { splitFrames } from '#test/syslog-frames'
import auditSyslog from './index.js'

auditSinkContract(async () => {
  const chunks: Buffer[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('data', (chunk) => void chunks.push(chunk)).on('error', () => {})
  })
  const listen = async (port: number) => void (await once(server.listen(port, '127.0.0.1'), 'listening'))
  const stop = async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
  await listen(0)
  const { port } = server.address() as AddressInfo
  const options = { url: `tcp://127.0.0.1:${port}`, host: 'web-1' }
  const { auditSink, close } = await openPlugin(auditSyslog, { options })
  return {
    sink: auditSink as AuditSink,
    read: () => splitFrames(Buffer.concat(chunks)).map((message) => JSON.parse(message.slice(message.indexOf('{')))),
    breakReceiver: stop,
    repairReceiver: () => listen(port),
    async close() {
      await close()
      await stop()
    },
  }
})
