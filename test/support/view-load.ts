/** Load that shows whether a view is granted twice: secrets of one view, which two claims ask for at once. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

const RETRY_MS = 100
/** Between two secrets of a lane, so that the load does not take the whole machine. */
const PAUSE_MS = 20

export interface ViewLoad {
  /** Secrets that the server said it had stored, with the number of claims that were granted a view of each. */
  granted: Map<string, number>
  /** Responses by status; `refused` are connections that failed. */
  responses: Map<number | 'refused', number>
  /** Ends the load, and waits until each claim is granted or refused. */
  stop(): Promise<void>
}

/** `nextUrl` returns the server of the next request. Requests without a response, and those with 503, are repeated. */
export function startViewLoad(nextUrl: () => string, lanes: number): ViewLoad {
  const granted = new Map<string, number>()
  const responses = new Map<number | 'refused', number>()
  let isOver = false

  async function send(path: string, body: object): Promise<{ status: number; json: { id: string } } | null> {
    const headers = { 'content-type': 'application/json' }
    try {
      const response = await fetch(nextUrl() + path, { method: 'POST', headers, body: JSON.stringify(body) })
      const text = await response.text()
      responses.set(response.status, (responses.get(response.status) ?? 0) + 1)
      return { status: response.status, json: response.ok ? JSON.parse(text) : null }
    } catch {
      responses.set('refused', (responses.get('refused') ?? 0) + 1)
      return null
    }
  }

  async function ask(id: string): Promise<void> {
    const claim = randomBytes(16).toString('base64url')
    for (;;) {
      const viewed = await send(`/api/v1/secret/${id}`, { claim })
      if (viewed?.status === 200) granted.set(id, (granted.get(id) ?? 0) + 1)
      if (viewed && viewed.status !== 503) return
      await sleep(RETRY_MS)
    }
  }

  async function lane(): Promise<void> {
    while (!isOver) {
      const created = await send('/api/v1/secret', { text: 'sécret ☃', ttl: 3600 })
      if (created?.status !== 201) {
        await sleep(RETRY_MS)
        continue
      }
      const { id } = created.json
      granted.set(id, 0)
      await Promise.all([ask(id), ask(id)])
      await sleep(PAUSE_MS)
    }
  }

  const running = Promise.all(Array.from({ length: lanes }, lane))
  return {
    granted,
    responses,
    async stop() {
      isOver = true
      await running
    },
  }
}
