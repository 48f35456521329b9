/** The storage of the instance: its place and its failures as people read them. */
import { isAbsolute, relative } from 'node:path'
import { isAppError, type Storage } from '#core'
import { type Log, openStorage } from '#core/host'
import { CliError } from '../errors.js'
import { asMessage } from '../text.js'
import type { Boot } from './boot.js'

/** Runs `work` on the storage, without an instance around it. Throws CliError as `startFailure` does, or what `work` throws. */
export async function withStorage<T>(boot: Boot, log: Log, work: (storage: Storage) => Promise<T>): Promise<T> {
  const { storage, close } = await openStorage({ ...boot, log }).catch((error) => {
    throw startFailure(error, boot.settings.dataDir)
  })
  try {
    return await work(storage)
  } finally {
    await close()
  }
}

/** `sqlite data/mayfly.db`: files as seen from the working folder where they are below it. */
export function placeOf(name: string, { location }: Storage): string {
  if (location === undefined) return name
  const below = relative('.', location)
  return `${name} ${isAbsolute(location) && !below.startsWith('..') ? below : location}`
}

/** Why the instance or its storage did not start: a CliError `usage` or `unavailable`, or the error itself. */
export function startFailure(error: unknown, dataDir: string): unknown {
  if (!(error instanceof Error)) return error
  // A plugin that fails has a cause; one that is of the wrong kind was chosen by the config.
  if (error.name === 'PluginError' && !error.cause) return new CliError('usage', asMessage(error.message))
  if (error.name === 'PluginError' || isAppError(error, 'storage.unavailable')) {
    return new CliError('unavailable', asMessage(error.message), '`mayfly config list` tells the settings in force')
  }
  const { syscall, code } = error as NodeJS.ErrnoException
  return syscall ? new CliError('unavailable', `cannot use the data folder ${dataDir}: ${code}`) : error
}
