/** Recognizes errors of a damaged database file. */
import { CliError } from './cli-error.js'

export const DAMAGED_HINT = 'stop the server, keep a copy of the file, and restore a backup with `mayfly restore`'

/** SQLite: damaged, or not a database. PostgreSQL: damaged data or index. */
const DAMAGE = /\b(SQLITE_CORRUPT|SQLITE_NOTADB|XX001|XX002)\b/

/**
 * Returns CliError `check_failed` for an error, or a cause of it, that the database reports for damaged files; else
 * null.
 */
export function toDamageError(error: unknown): CliError | null {
  for (let each = error; each instanceof Error; each = each.cause) {
    const { code = '' } = each as NodeJS.ErrnoException
    const [found] = DAMAGE.exec(`${code} ${each.message}`) ?? []
    if (found === undefined) continue
    const isForeign = found === 'SQLITE_NOTADB'
    const message = isForeign ? 'the file is not a SQLite database, or it is encrypted' : 'the database is damaged'
    const hint = isForeign ? `correct sqlite.file, or restore a backup with \`mayfly restore\`` : DAMAGED_HINT
    return new CliError('check_failed', `${message} (${found})`, hint)
  }
  return null
}
