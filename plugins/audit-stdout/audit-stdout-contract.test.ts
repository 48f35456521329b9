/** Standard output is a pipe, whose reader disconnects and reconnects like a log collector. */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { constants, openSync } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { auditSinkContract } from '#core/testing'
import { createStdoutSink } from './stdout-sink.js'

auditSinkContract(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-stdout-'))
  const path = join(folder, 'pipe')
  execFileSync('mkfifo', [path])
  let received = ''
  const startReader = () => {
    const socket = new Socket({ fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK), writable: false })
    socket.setEncoding('utf8').on('data', (text) => {
      received += text
    })
    return socket
  }
  let reader = startReader()
  const endReader = () => once(reader.destroy(), 'close')
  const pipe = await open(path, 'a')
  return {
    sink: createStdoutSink(pipe.fd),
    read: () =>
      received
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
    async breakReceiver() {
      await endReader()
    },
    repairReceiver() {
      reader = startReader()
    },
    async close() {
      await endReader()
      await pipe.close()
      await rm(folder, { recursive: true })
    },
  }
})
