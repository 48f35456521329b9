import type { Access } from '#shared/api'
import { language } from '../../lib/i18n.js'
import { type AccessKind, listAccessGroups } from './access-groups.js'

/** Kinds that a lock-out can keep, and the name of their list in the API. Sessions always end. */
export const KEEPABLE = { factor: 'factors', token: 'tokens', identity: 'identities', webhook: 'webhooks' } as const

export type KeepableKind = keyof typeof KEEPABLE

/** Ids of what a lock-out keeps. */
export type KeptIds = Record<(typeof KEEPABLE)[KeepableKind], string[]>

export const NOTHING_KEPT: KeptIds = { factors: [], tokens: [], identities: [], webhooks: [] }

export const isKeepable = (kind: AccessKind): kind is KeepableKind => kind in KEEPABLE

/** Names of the kept access, as a list in the language of the page; empty: nothing. */
export function formatKept(access: Access, kept: KeptIds): string {
  const names = listAccessGroups(access).flatMap(({ kind, items }) =>
    isKeepable(kind) ? items.filter(({ id }) => kept[KEEPABLE[kind]].includes(id)).map(({ name }) => name) : [],
  )
  return new Intl.ListFormat(language).format(names)
}
