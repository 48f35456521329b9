/** What `doctor` sees on the machine of the instance. Whatever fails, the next check runs. */
import { randomBytes } from 'node:crypto'
import { chmod, stat, statfs } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { FileStore, Storage } from '#core'
import { noLog, openStores, readJournal } from '#core/runtime'
import { type Boot, bootOf } from '../../instance/boot.js'
import type { InstanceFlags } from '../../instance/instance-options.js'
import { journalFolder } from '../../instance/journal-folder.js'
import { placeOf, startFailure } from '../../instance/open-database.js'
import { CliError } from '../../lib/cli-error.js'
import { version } from '../../lib/version.js'
import { humanBytes } from '../../output/format-bytes.js'
import type { Io } from '../../output/io.js'
import { counted } from '../../output/sanitize.js'
import type { GlobalFlags } from '../command.js'
import { ended, removeEnded } from '../maintenance/purge-ended.js'
import { type Finding, fail, ok, warn } from './check-result.js'

const LEAST_FREE = 2 ** 30

/** What can be mended in these sections is, and is looked at once more. */
export async function lookInside(flags: InstanceFlags & GlobalFlags, mending: string[], io: Io): Promise<Finding[]> {
  const boot = await settings(flags, io)
  if (!('settings' in boot)) return [boot]
  const settled = (section: string, look: () => Promise<Finding[]>) =>
    mending.includes(section) ? mended(look) : look()
  const findings = [
    ok('config', 'settings', 'can be read'),
    ...config(boot),
    ...(await settled('disk', () => disk(boot))),
  ]
  const opened = await openStores({ ...boot, log: noLog }).catch(startFailure)
  // A start asks the engine for its durability, its characters and its rights; what it says is the finding.
  if (!(typeof opened === 'object' && opened !== null && 'storage' in opened)) {
    if (!(opened instanceof CliError)) throw opened
    return [...findings, fail('database', 'start', opened.message, opened.hint ?? 'see docs/databases.md')]
  }
  const { storage, files, close } = opened as Awaited<ReturnType<typeof openStores>>
  try {
    const found = await settled('database', () => database(boot, storage, files, io))
    return [...findings, ...found, ...(await fileStore(files)), ...(await journal(boot))]
  } finally {
    await close()
  }
}

/** As often as there is something new to mend: behind an old schema there may be more. What cannot be stays as it was found. */
async function mended(look: () => Promise<Finding[]>): Promise<Finding[]> {
  const tried = new Set<string>()
  for (;;) {
    const found = await look()
    const next = found.find(({ check, mend }) => mend && !tried.has(check))
    if (!next) return found
    tried.add(next.check)
    await next.mend?.().catch(() => {})
  }
}

async function settings(flags: InstanceFlags & GlobalFlags, io: Io): Promise<Boot | Finding> {
  try {
    return await bootOf(flags, io)
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    return fail(
      'config',
      'settings',
      error.message.replaceAll('\n', '; '),
      'set it right, and see `mayfly config list`',
    )
  }
}

function config({ settings }: Boot): Finding[] {
  const findings = [ok('config', 'version', `Mayfly ${version} on Node ${process.versions.node}`)]
  const { publicUrl, trustedProxies } = settings
  if (publicUrl === '') {
    findings.push(warn('config', 'publicUrl', 'is not set, so links lead to this machine', 'set MAYFLY_PUBLIC_URL'))
  } else if (!publicUrl.startsWith('https:')) {
    findings.push(
      warn('config', 'publicUrl', 'is not https', 'put a proxy with https in front: see docs/one-machine.md'),
    )
  } else if (trustedProxies.length === 0) {
    const what = 'is empty, so every caller seems to come from the proxy'
    findings.push(warn('config', 'trustedProxies', what, 'set MAYFLY_TRUSTED_PROXIES to the address of the proxy'))
  } else findings.push(ok('config', 'publicUrl', publicUrl))
  return findings
}

async function disk({ settings: { dataDir }, inForce }: Boot): Promise<Finding[]> {
  // As it was set: `dataDir` itself is absolute.
  const shown = inForce.find(({ key }) => key === 'dataDir')?.value ?? dataDir
  try {
    const { bavail, bsize } = await statfs(dataDir)
    const free = bavail * bsize
    const mode = (await stat(dataDir)).mode & 0o077
    return [
      free < LEAST_FREE
        ? warn('disk', 'room', `${humanBytes(free)} are free`, 'make room: uploads are refused when less is free')
        : ok('disk', 'room', `${humanBytes(free)} are free`),
      mode === 0
        ? ok('disk', 'data folder', 'is closed to other users')
        : {
            ...warn('disk', 'data folder', 'is open to other users of this machine', `chmod 700 ${shown}`),
            mend: () => chmod(dataDir, 0o700),
          },
    ]
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown'
    // `serve` makes it.
    if (code === 'ENOENT') return [ok('disk', 'data folder', 'is not there yet')]
    return [fail('disk', 'data folder', `cannot be used: ${code}`, `give ${shown} to the user of the server`)]
  }
}

async function database({ settings }: Boot, storage: Storage, files: FileStore | null, io: Io): Promise<Finding[]> {
  const findings = [
    ok(
      'database',
      'start',
      `${placeOf(settings.storage, storage, io)} answers, waits for the disk, keeps every character`,
    ),
  ]
  const steps = (await storage.migrations?.status()) ?? []
  const missing = steps.filter(({ state }) => state !== 'ran')
  if (missing.length > 0) {
    const what = `${missing.map(({ name, state }) => `${name} is ${state}`).join(', ')}`
    const behind = fail('database', 'schema', what, 'run `mayfly migrate`, or the version that made it')
    const isOurs = missing.every(({ state }) => state === 'pending')
    return [...findings, isOurs ? { ...behind, mend: () => storage.migrate() } : behind]
  }
  findings.push(ok('database', 'schema', 'is that of this version'))
  if (!storage.rows) return findings
  const left = await ended(storage.rows, Date.now() - 10 * 60_000)
  if (left.secrets + left.files === 0) {
    return [...findings, ok('database', 'sweeping', 'nothing has ended that is still there')]
  }
  const what = `${counted(left.secrets, 'secret')} and ${counted(left.files, 'file')} ended ten minutes ago and are still there`
  const unswept = warn('database', 'sweeping', what, 'is the server running? `mayfly purge` deletes them')
  return [...findings, { ...unswept, mend: () => removeEnded({ storage, files }, { orphans: false, log: noLog }) }]
}

async function fileStore(files: FileStore | null): Promise<Finding[]> {
  if (!files) return [ok('files', 'store', 'is turned off')]
  const key = `doctor${randomBytes(13).toString('hex')}`
  const bytes = randomBytes(1000)
  try {
    await files.put(key, Readable.from([bytes]), bytes.length)
    const chunks: Buffer[] = []
    for await (const chunk of await files.get(key)) chunks.push(chunk)
    const isSame = Buffer.concat(chunks).equals(bytes)
    if (!isSame) return [fail('files', 'store', 'gives back other bytes than it was given', 'see docs/file-stores.md')]
    return [ok('files', 'store', `${files.location ?? 'it'} gives back what it was given`)]
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unknown'
    return [fail('files', 'store', why, 'see docs/file-stores.md')]
  } finally {
    await files.delete(key).catch(() => {})
  }
}

async function journal(boot: Boot): Promise<Finding[]> {
  const folder = journalFolder(boot)
  if (folder === null) return []
  const read = await readJournal(folder).catch(() => null)
  if (read?.completeSince)
    return [ok('files', 'tombstones', `are complete since ${new Date(read.completeSince).toISOString()}`)]
  return [
    fail(
      'files',
      'tombstones',
      'nobody can tell what has ended',
      `is there room in ${folder}? then restart the server`,
    ),
  ]
}
