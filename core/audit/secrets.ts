/** What happens to secrets, noted before the listeners are told; those learn nothing of the caller. */
import type { Audit, Note } from '../contracts/audit.js'
import type { Emit, Events } from '../events.js'

/** How much of an id is noted: enough to find its lines, too little to find the secret. */
const ID_SHOWN = 6
const NOBODY: Note['caller'] = { username: null, address: null }

/** The beginning of a secret's id. */
export const shownId = (id: string): string => id.slice(0, ID_SHOWN)

/** `emit` that notes what it tells about secrets. */
export function notingSecrets(emit: Emit, audit: Audit): Emit {
  return async (name, event, caller = NOBODY) => {
    const noted = NOTES[name]?.(event)
    if (noted) await audit({ ...noted, caller, subject: shownId((event as { id: string }).id) })
    await emit(name, event)
  }
}

type Noted = Pick<Note, 'action' | 'detail'>

const NOTES: { [E in keyof Events]?: (event: Events[E]) => Noted } = {
  'secret:created': ({ kind, files }) => ({ action: 'secret.created', detail: { kind, files } }),
  'secret:viewed': ({ viewsLeft }) => ({ action: 'secret.viewed', detail: { left: viewsLeft } }),
  'secret:burned': ({ reason }) =>
    reason === 'expired' ? { action: 'secret.expired' } : { action: 'secret.burned', detail: { reason } },
}
