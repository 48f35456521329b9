/** Explains why a database file cannot be opened. */
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { OperatorError } from '#core'
import { type DatabaseContext, explainError } from '#plugins/knex'
import { lookUp } from '#shared/look-up'

/** In bytes. SQLite needs less to open a file. */
const ROOM_TO_OPEN = 2 ** 18
const FULL_CODES = ['ENOSPC', 'SQLITE_FULL', 'SQLITE_IOERR', 'SQLITE_CANTOPEN']

/** True for a failure that more room on the disk may solve. */
export async function isDiskFull(error: unknown, filename: string): Promise<boolean> {
  const { code = '' } = error as NodeJS.ErrnoException
  return code === 'ENOSPC' || (FULL_CODES.includes(code) && (await freeBytes(dirname(filename))) < ROOM_TO_OPEN)
}

const freeBytes = (folder: string): Promise<number> =>
  statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => Number.POSITIVE_INFINITY,
  )

/** Returns an OperatorError for errors of the file system and of SQLite with a known reason, and others unchanged. */
export async function explainStart(error: unknown, context: DatabaseContext): Promise<unknown> {
  const { location } = context
  const { code = '' } = error as NodeJS.ErrnoException
  if (await isDiskFull(error, location)) {
    const hint = `free space on the disk of ${dirname(location)}`
    return new OperatorError(`${location} cannot be opened: the disk is full (${code}).`, { code, hint, cause: error })
  }
  const known = lookUp(FILE_ERRORS, code)
  if (!known) return explainError(error, 'call', context) ?? error
  const [reason, hint] = known(dirname(location))
  return new OperatorError(`${location} cannot be opened: ${reason} (${code}).`, { code, hint, cause: error })
}

/** Reason and hint by the code of the file system. */
const FILE_ERRORS: Record<string, (folder: string) => [reason: string, hint: string]> = {
  EACCES: (folder) => ['permission denied', `make the user of the server the owner of ${folder}`],
  EPERM: (folder) => [
    'it belongs to another user',
    `make the user of the server the owner of the file and of ${folder}, or run the command as the owner`,
  ],
  EROFS: (folder) => ['the disk is mounted read-only', `mount the disk of ${folder} for writing`],
  EDQUOT: (folder) => ['the disk quota is used up', `raise the quota, or free space in ${folder}`],
  EEXIST: () => ['a part of its path is a file', 'correct dataDir or sqlite.file'],
  ENOTDIR: () => ['a part of its path is a file', 'correct dataDir or sqlite.file'],
  EISDIR: () => ['it is a folder', 'correct sqlite.file'],
  ENOENT: () => ['its folder cannot be created', 'correct dataDir or sqlite.file'],
}
