/**
 * The factor key encrypts the secrets of authenticator apps. It is never in the database, so that a copy of the
 * database does not contain a usable factor: the configured key of the instance or, without one, a file in the data
 * folder.
 */
import { createHash, randomBytes } from 'node:crypto'
import { link, open, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { App } from '../../app.js'
import type { Authenticator } from '../../contracts/factors.js'
import type { Storage } from '../../contracts/storage.js'
import { createFolder } from '../../lib/create-folder.js'
import { describeCause } from '../../lib/error-codes.js'
import { AppError } from '../../lib/errors.js'
import { createTextCipher, type TextCipher } from '../../lib/text-cipher.js'
import { parseInstanceKey } from '../../settings/instance-key.js'
import type { StartupConfig } from '../../settings/startup-config.js'

/** Name in the instance state, of the fingerprint of the key that encrypted the secrets. */
const KEY_ID = 'factor_key_id'
const FILE = 'factor.key'
const LEASE_MS = 10_000

type KeyConfig = Pick<StartupConfig, 'dataDir' | 'instanceKey'>

/** `unused`: no user has an authenticator app. `missing`: this process does not have the key of the apps. */
export type FactorKeyState = 'unused' | 'present' | 'missing'

/** Changes nothing. Rejects if the file exists and cannot be read. */
export async function inspectFactorKey(
  { factors }: Pick<Storage, 'factors'>,
  config: KeyConfig,
): Promise<FactorKeyState> {
  const authenticator = await factors.findAnyAuthenticator()
  if (!authenticator) return 'unused'
  return decryptWithAny(await readKeys(config), authenticator) === null ? 'missing' : 'present'
}

/**
 * The secret of an authenticator app. Throws AppError `auth.unavailable` if this process does not have the key that
 * encrypted it.
 */
export async function openFactorSecret({ config, log }: App, authenticator: Encrypted): Promise<string> {
  const secret = decryptWithAny(await readKeys(config).catch(reportTo(log)), authenticator)
  if (secret !== null) return secret
  log.error('factor key missing: authenticator apps do not work', { file: join(config.dataDir, FILE) })
  throw unavailable()
}

/**
 * Encrypts the secrets of new authenticator apps; the context is the id of the user. Creates the key if the instance
 * has none, or if it is lost and no account has an app. Throws AppError `auth.unavailable` if this process does not
 * have the key of the instance.
 */
export async function loadFactorCipher(app: App): Promise<TextCipher> {
  const { storage, config, log } = app
  const keyId = await storage.instanceState.get(KEY_ID)
  const known = (await readKeys(config).catch(reportTo(log))).find((key) => fingerprint(key) === keyId)
  if (known) return createCipher(known)
  if (keyId === null || (await inspectFactorKey(storage, config)) === 'unused') {
    const chosen = await chooseKey(app, keyId).catch(reportTo(log))
    if (!Array.isArray(chosen)) return createCipher(chosen)
  }
  log.error('factor key missing: no authenticator app can be added', { file: join(config.dataDir, FILE) })
  throw unavailable()
}

const unavailable = (): AppError =>
  new AppError('auth.unavailable', {
    message: 'Authenticator apps do not work on this server at the moment. Ask an administrator.',
  })

/** Logs an error of the file system, and returns no keys. */
const reportTo =
  (log: App['log']) =>
  (error: unknown): Buffer[] => {
    log.error('factor key not available', { ...describeCause(error) })
    return []
  }

const createCipher = (key: Buffer): TextCipher => createTextCipher(key, 'mayfly/v1/authenticator')

/** Stored data of an authenticator app. */
type Encrypted = Pick<Authenticator, 'userId' | 'secret'>

/** Tries all keys, because a restored database does not have the fingerprint. */
function decryptWithAny(keys: Buffer[], { userId, secret }: Encrypted): string | null {
  for (const key of keys) {
    const text = createCipher(key).decrypt(secret, userId)
    if (text !== null) return text
  }
  return null
}

/**
 * Chooses the key of the instance instead of `replaced`, once for all processes. `[]`: another process chose another
 * one.
 */
async function chooseKey({ storage, config, now }: App, replaced: string | null): Promise<Buffer | []> {
  const { instanceState, leases } = storage
  // A restored database was encrypted with one of the existing keys.
  const present = await readKeys(config)
  const authenticator = await storage.factors.findAnyAuthenticator()
  const used = present.find((key) => authenticator && decryptWithAny([key], authenticator) !== null)
  if (authenticator && !used) return []
  const key = used ?? present[0] ?? (await createFile(config))
  const lease = { name: KEY_ID, holder: randomBytes(16).toString('hex'), until: now() + LEASE_MS, now: now() }
  if ((await leases.acquire(lease)) && (await instanceState.get(KEY_ID)) === replaced)
    await instanceState.set(KEY_ID, fingerprint(key))
  return (await instanceState.get(KEY_ID)) === fingerprint(key) ? key : []
}

/**
 * The configured key and the key in the file, if they exist. A key that was configured later does not replace the file.
 */
async function readKeys({ dataDir, instanceKey }: KeyConfig): Promise<Buffer[]> {
  const configured = instanceKey === '' ? [] : [parseInstanceKey(instanceKey)]
  return [...configured, ...(await readFile(join(dataDir, FILE)).then(toKeys, ignoreMissing))]
}

const toKeys = (bytes: Buffer): Buffer[] => [Buffer.from(bytes.toString().trim(), 'base64url')]

function ignoreMissing(error: NodeJS.ErrnoException): Buffer[] {
  if (error.code === 'ENOENT') return []
  throw error
}

/**
 * Creates the file atomically: it is complete and on disk before it gets its name. Another process may have created it
 * before.
 */
async function createFile({ dataDir }: KeyConfig): Promise<Buffer> {
  const path = join(dataDir, FILE)
  const draft = `${path}.${randomBytes(8).toString('hex')}`
  await createFolder(dataDir)
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(`${randomBytes(32).toString('base64url')}\n`)
    await file.sync()
    await link(draft, path).catch((error) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await file.close()
    await unlink(draft)
  }
  await syncFolder(dataDir)
  const [key] = toKeys(await readFile(path))
  return key as Buffer
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  await folder.sync().finally(() => folder.close())
}

/** Does not reveal the key, which has 256 random bits. */
const fingerprint = (key: Buffer): string =>
  createHash('sha256').update('mayfly/v1/factor-key').update(key).digest('hex')
