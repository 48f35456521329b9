/**
 * Actions of the audit log, as `noun.verb`. `each`: every event is an entry. `counted`: anyone can cause the event any number
 * of times, so equal events of a minute share two entries, the second with `detail.times`.
 */
export const ACTIONS = {
  'account.created': 'each',
  'account.changed': 'each',
  'account.deleted': 'each',
  'account.linked': 'each',
  'account.unlinked': 'each',
  'audit.dropped': 'each',
  'database.restored': 'each',
  'instance.started': 'each',
  'limit.reached': 'counted',
  'request.cross_site': 'counted',
  'request.wrong_host': 'counted',
  'schema.migrated': 'each',
  'secret.address_refused': 'counted',
  'secret.burned': 'each',
  'secret.created': 'each',
  'secret.expired': 'each',
  'secret.locked': 'each',
  'secret.password_wrong': 'counted',
  'secret.viewed': 'each',
  'session.ended': 'each',
  'session.opened': 'each',
  'session.refreshed': 'each',
  'session.refused': 'counted',
  'session.reused': 'each',
  'settings.changed': 'each',
  'setup.finished': 'each',
  'setup.refused': 'counted',
  'token.created': 'each',
  'token.deleted': 'each',
  'token.refused': 'counted',
  'token.used': 'each',
  'upload.refused': 'counted',
  'user.changed': 'each',
  'user.created': 'each',
  'user.deleted': 'each',
  'user.role_kept': 'counted',
} as const satisfies Record<string, 'each' | 'counted'>

export type AuditAction = keyof typeof ACTIONS
