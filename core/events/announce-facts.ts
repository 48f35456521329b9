/** Writes the audit entries of facts and calls their listeners, right after the change. */
import type { App } from '../app.js'
import type { AuditEntry, Note } from '../contracts/audit.js'
import type { Events } from '../contracts/events.js'
import { type AuditAction, auditLevel, type FactFor, findFact, isListenedTo } from '../shared/event-catalog.js'

/** A fact with data. */
export type Fact = FactFor<'operator' | 'listener'>

/** Length of an id in the audit log: long enough to find related entries, too short to find the secret. */
const ID_LENGTH = 6

/** The id of a secret or request, as the audit log has it. */
export const auditedId = (id: string): string => id.slice(0, ID_LENGTH)

/** Signs of an attack, which are always in the audit log. */
const REFUSALS: string[] = [
  'secret.address_refused',
  'secret.password_wrong',
  'secret.code_wrong',
  'secret.locked',
  'secret.damaged',
]

/** Call after the change: writes the audit entries of facts, and calls their listeners. Never rejects. */
export async function announceFacts(app: App, facts: Fact[], caller: Note['caller']): Promise<void> {
  for (const fact of facts) await announceFact(app, fact, caller)
}

async function announceFact({ audit, emit, config }: App, { name, data }: Fact, caller: Note['caller']): Promise<void> {
  const isSecret = name.startsWith('secret.')
  if (auditLevel(name) && (config.auditSecrets || !isSecret || REFUSALS.includes(name)))
    await audit.note({ action: name as AuditAction, caller, ...toAuditContent(name, data) })
  if (isListenedTo(name)) await emit(name, data as Events[typeof name])
}

/** Ids are shortened, because a reader of the log must not find the secret. */
function toAuditContent(name: string, data: object): Pick<AuditEntry, 'subject' | 'detail'> {
  const { about, data: fields = {}, detail = [] } = findFact(name) ?? {}
  const readField = (field: string) => {
    const value = (data as AuditEntry['detail'])[field] ?? null
    return fields[field] === 'id' ? auditedId(String(value)) : value
  }
  return {
    subject: about ? String(readField(`${about}Id`)) : null,
    detail: Object.fromEntries(detail.map((field) => [field, readField(field)])),
  }
}
