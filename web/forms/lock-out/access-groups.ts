/**
 * The access of an account, in the order of the lists: everything by which someone can act as the user or learn of the
 * user's secrets.
 */
import { t } from 'i18next'
import type { Access, RevokeUserAccess } from '#shared/api'
import { sanitizeName } from '../../lib/format.js'
import { formatDateTime, formatRelativeTime } from '../../lib/format-time.js'
import { language } from '../../lib/i18n.js'
import { sessionName } from '../../lib/session-name.js'

export type AccessKind = RevokeUserAccess['kind']

export interface AccessItem {
  id: string
  name: string
  /** When it was added and used; empty: unknown. */
  hint: string
}

export interface AccessGroup {
  kind: AccessKind
  items: AccessItem[]
}

/** Without empty groups. Sessions come first. */
export function listAccessGroups({ sessions, factors, tokens, identities, webhooks }: Access): AccessGroup[] {
  const groups: AccessGroup[] = [
    {
      kind: 'session',
      items: sessions.map(({ id, client, createdAt, seenAt }) => ({
        id,
        name: sessionName(client),
        hint: t('access:began', { date: formatDateTime(createdAt, language), relative: relative(seenAt) }),
      })),
    },
    {
      kind: 'factor',
      items: factors.map(({ id, kind, name, createdAt, usedAt }) => ({
        id,
        name: kind === 'passkey' ? sanitizeName(name) : t(`access:factors.${kind}`),
        hint: createdAt === null ? '' : added(createdAt, usedAt),
      })),
    },
    {
      kind: 'token',
      items: tokens.map(({ id, name, createdAt, usedAt }) => ({
        id,
        name: sanitizeName(name),
        hint: added(createdAt, usedAt),
      })),
    },
    {
      kind: 'identity',
      items: identities.map(({ id, provider, label, createdAt }) => ({
        id,
        name: sanitizeName(label || provider),
        hint: createdAt === null ? '' : added(createdAt, null),
      })),
    },
    {
      kind: 'webhook',
      items: webhooks.map(({ id, name, host, createdAt }) => ({
        id,
        name: `${sanitizeName(name)} (${sanitizeName(host)})`,
        hint: added(createdAt, null),
      })),
    },
  ]
  return groups.filter(({ items }) => items.length > 0)
}

function added(createdAt: number, usedAt: number | null): string {
  const date = formatDateTime(createdAt, language)
  return usedAt === null ? t('access:added', { date }) : t('access:used', { date, relative: relative(usedAt) })
}

const relative = (at: number): string => formatRelativeTime(at, Date.now(), language)
