/** Publishes durable events to a stream of NATS JetStream, as CloudEvents. Documentation: docs/webhooks.md. */
import { type DurableEvent, definePlugin, isLoopbackHost, OperatorError } from '#core'
import { createNatsLink } from './connect.js'
import { type NatsOptions, options } from './nats-options.js'
import { describeFailure, isRefusal, publishEvent } from './publish-event.js'

export default definePlugin({
  contract: 1,
  name: 'nats',
  options,
  async setup(options, { log, publicUrl }) {
    const { servers, subject, stream, events } = options
    checkCredentials(options)
    if (servers.some(isPlainRemote)) log.warn('the connection to nats may not be encrypted')
    const link = createNatsLink(options)
    // The instance starts even if no server responds, because events can wait.
    await link.open().catch((error) => {
      if (error instanceof OperatorError) throw error
      if (isRefusal(error)) throw new OperatorError('the server refuses the credentials', { isSetting: true })
      log.warn('nats does not respond', { error: describeFailure(error).result })
    })
    const deliver = async (event: DurableEvent) => {
      try {
        await publishEvent(await link.open(), event, { subject, stream, source: publicUrl })
        return { isDelivered: true, result: 'stored' }
      } catch (error) {
        return describeFailure(error)
      }
    }
    return {
      channels: [
        {
          name: 'nats',
          to: 'operator',
          ...(events.length > 0 && { types: [...new Set([...events, 'ping'] as const)] }),
          deliver: (event, signal) => Promise.race([deliver(event), whenAborted(signal)]),
        },
      ],
      close: link.close,
    }
  },
})

/** Throws if options contradict each other. */
function checkCredentials({ user, password, token, credsFile, certFile, keyFile }: NatsOptions): void {
  const fail = (message: string) => {
    throw new OperatorError(message, { isSetting: true })
  }
  if ([user, token, credsFile].filter(Boolean).length > 1) fail('only one of user, token and credsFile can be set')
  if (password !== '' && user === '') fail('password needs user')
  if ((certFile === '') !== (keyFile === '')) fail('certFile and keyFile need each other')
}

const isPlainRemote = (url: string) => url.startsWith('nats:') && !isLoopbackHost(new URL(url).hostname)

/** An abandoned attempt is harmless: the stream ignores a repeated id. */
const whenAborted = (signal: AbortSignal) =>
  new Promise<{ isDelivered: false; result: string }>((resolve) => {
    const end = () => resolve({ isDelivered: false, result: 'aborted' })
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })
