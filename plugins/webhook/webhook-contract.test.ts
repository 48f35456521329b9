import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe } from 'vitest'
import type { OperatorChannel } from '#core'
import { channelContract, openPlugin } from '#core/testing'
import webhook from './index.js'

/** The ids of events: of Standard Webhooks in a header, of Matrix at the end of the path. */
const idOf = ({ headers, url = '' }: IncomingMessage): string =>
  String(headers['webhook-id'] ?? url.slice(url.lastIndexOf('/') + 1))

describe.each(['standard', 'matrix'])('format %s', (format) => {
  channelContract(async () => {
    const ids: string[] = []
    let isHanging = false
    const server = createServer((request, response) => {
      if (isHanging) return
      ids.push(idOf(request))
      response.writeHead(204).end()
    })
    const listen = async (port: number) => void (await once(server.listen(port, '127.0.0.1'), 'listening'))
    const stop = () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
    await listen(0)
    const { port } = server.address() as AddressInfo
    const secrets = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw']
    const options = { url: `http://127.0.0.1:${port}`, format, token: 'syt_1', secrets, allow: ['127.0.0.1'] }
    const { channels, close } = await openPlugin(webhook, { options })
    return {
      channel: channels?.[0] as OperatorChannel,
      readIds: () => ids,
      breakReceiver: stop,
      repairReceiver: () => listen(port),
      hangReceiver: () => {
        isHanging = true
      },
      close: () => close().then(stop),
    }
  })
})
