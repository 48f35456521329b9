import type { MigrationStatus } from './storage.js'

/**
 * One sentence for the operator when another version has migrated the database; null when this version knows its
 * schema.
 */
export function describeUnknownMigrations(status: MigrationStatus[]): string | null {
  const last = status.filter(({ state }) => state === 'unknown').at(-1)
  if (!last) return null
  return `The database belongs to another version of Mayfly: this version does not know the migration ${last.name}. Use the other version.`
}
