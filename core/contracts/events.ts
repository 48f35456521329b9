/** Facts that plugins and the statistics listen to in the process where they happen. */
import type { FactData, FactNameFor } from '../shared/event-catalog.js'

/** Emitted after the change: a listener cannot prevent anything. `event-catalog.ts` describes each. */
export type Events = { [Name in FactNameFor<'listener'>]: FactData<Name> }

export type Listeners = { [E in keyof Events]?: (event: Events[E]) => void | Promise<void> }

export type Emit = <E extends keyof Events>(name: E, event: Events[E]) => Promise<void>
