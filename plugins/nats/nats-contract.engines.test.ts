import { describe } from 'vitest'
import type { OperatorChannel } from '#core'
import { channelContract, openPlugin } from '#core/testing'
import { makeStream, readStream, startNats } from '#test/nats'
import { needs } from '#test/needs'
import nats from './index.js'

describe('events in NATS', needs('nats'), () => {
  channelContract(async () => {
    const server = await startNats()
    await makeStream(server, 'EVENTS')
    const options = { servers: `nats://127.0.0.1:${server.port}`, stream: 'EVENTS' }
    const { channels, close } = await openPlugin(nats, { options })
    return {
      channel: channels?.[0] as OperatorChannel,
      readIds: async () => (await readStream(server, 'EVENTS')).map(({ id }) => id),
      breakReceiver: server.stop,
      repairReceiver: server.start,
      hangReceiver: server.pause,
      close: () => close().then(server.end),
    }
  })
})
