/** Checks of `doctor` on the machine of the instance. A failed check doesn't stop the next one. */
import { existsSync } from 'node:fs'
import { chmod, stat, statfs } from 'node:fs/promises'
import { noLog, openStores } from '#core/runtime'
import { getFilesFolder } from '../../instance/files-folder.js'
import { type InstanceConfig, loadConfigForFlags } from '../../instance/instance-config.js'
import type { InstanceFlags } from '../../instance/instance-options.js'
import { toStartError } from '../../instance/open-database.js'
import { getSqliteFile, requireDatabase } from '../../instance/require-database.js'
import { CliError } from '../../lib/cli-error.js'
import { formatBytes } from '../../output/format-bytes.js'
import type { Io } from '../../output/io.js'
import type { GlobalFlags } from '../command.js'
import { type CheckResult, fail, ok, warn } from './check-result.js'
import { checkConfig } from './config-checks.js'
import { checkDatabase, describeDamage, describeOpenFailure } from './database-checks.js'
import { checkFiles, describeFileStoreFailure } from './file-checks.js'
import { removeCreatedFiles } from './remove-created-files.js'

const MIN_FREE_BYTES = 2 ** 30

/** `sectionsToFix`: sections whose problems are fixed and checked again. */
export async function runLocalChecks(
  flags: InstanceFlags & GlobalFlags,
  sectionsToFix: string[],
  io: Io,
): Promise<CheckResult[]> {
  const config = await loadConfigOrFail(flags, io)
  if (Array.isArray(config)) return config
  const checkAndFix = (section: string, check: () => Promise<CheckResult[]>) =>
    sectionsToFix.includes(section) ? repairAndRecheck(check) : check()
  const results = [
    ok('config', 'settings', 'valid'),
    ...(await checkAndFix('config', () => checkConfig(config))),
    ...(await checkAndFix('disk', () => checkDisk(config))),
  ]
  const file = getSqliteFile(config)
  return removeCreatedFiles(file === null ? [] : [`${file}-reserve`], async () => {
    const opened = await openExisting(config)
    if ('level' in opened) return [...results, opened]
    const { storage, files, close } = opened
    try {
      return [
        ...results,
        ...(await checkAndFix('database', () => checkDatabase(config, storage, files))),
        ...(await checkAndFix('files', () => checkFiles(config, storage, files))),
      ]
    } finally {
      await close()
    }
  })
}

/**
 * Opens the stores, which checks durability, character set and permissions. A failure is the result of this check.
 * `files` is null when the folder of the files does not exist: a check creates nothing.
 */
async function openExisting(config: InstanceConfig) {
  try {
    requireDatabase(config)
    const folder = getFilesFolder(config)
    const isMissing = folder !== null && !existsSync(folder)
    const settings = isMissing ? { ...config.settings, files: '' } : config.settings
    return await openStores({ ...config, settings, log: noLog })
  } catch (cause) {
    const error = toStartError(cause)
    if (!(error instanceof CliError)) return describeDamage(error)
    if (error.outcome === 'check_failed') return describeDamage(cause)
    const { files } = config.settings
    if (!error.message.includes(`plugin "${files}"`)) return describeOpenFailure(error)
    return describeFileStoreFailure(files, error.message)
  }
}

/** Repairs and checks again until nothing new can be repaired: an old schema may hide other problems. */
async function repairAndRecheck(check: () => Promise<CheckResult[]>): Promise<CheckResult[]> {
  const tried = new Set<string>()
  for (;;) {
    const results = await check()
    const next = results.find(({ check, repair }) => repair && !tried.has(check))
    if (!next) return results
    tried.add(next.check)
    await next.repair?.().catch(() => {})
  }
}

/** Returns a finding for each invalid setting. */
async function loadConfigOrFail(flags: InstanceFlags & GlobalFlags, io: Io): Promise<InstanceConfig | CheckResult[]> {
  try {
    return await loadConfigForFlags(flags, io)
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    return error.message.split('\n').map((message) => {
      const origin = /\(((?:--set )?[^()\s]+)\)$/.exec(message)?.[1]
      const fix = origin ? `correct ${origin}` : 'correct it; docs/configuration.md lists all settings'
      return fail('config', 'settings', message, fix)
    })
  }
}

async function checkDisk({ settings: { dataDir }, allSettings }: InstanceConfig): Promise<CheckResult[]> {
  // As configured; `dataDir` itself is absolute.
  const displayPath = allSettings.find(({ key }) => key === 'dataDir')?.value ?? dataDir
  try {
    const { bavail, bsize } = await statfs(dataDir)
    const free = bavail * bsize
    const mode = (await stat(dataDir)).mode & 0o077
    return [
      free < MIN_FREE_BYTES
        ? warn('disk', 'room', `${formatBytes(free)} free`, 'free disk space; uploads are refused below a minimum')
        : ok('disk', 'room', `${formatBytes(free)} free`),
      mode === 0
        ? ok('disk', 'data folder', 'not readable by other users')
        : {
            ...warn('disk', 'data folder', 'readable by other users of this machine', `chmod 700 ${displayPath}`),
            repair: () => chmod(dataDir, 0o700),
          },
    ]
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown'
    // `serve` creates it.
    if (code === 'ENOENT') return [ok('disk', 'data folder', 'does not exist yet')]
    return [
      fail('disk', 'data folder', `not usable: ${code}`, `make the user of the server the owner of ${displayPath}`),
    ]
  }
}
