/**
 * The factor key encrypts the secrets of authenticator apps. It is never in the database, so that a copy of the database
 * does not contain a usable factor: the configured key of the instance or, without one, a file in the data folder.
 */
import { createHash, randomBytes } from 'node:crypto'
import { link, open, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { App } from '../../app.js'
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

/** `unused`: no authenticator app was ever added. `missing`: this process does not have the key that was used. */
export type FactorKeyState = 'unused' | 'present' | 'missing'

/** Changes nothing. Rejects if the file exists and cannot be read. */
export async function inspectFactorKey({ instanceState }: Storage, config: KeyConfig): Promise<FactorKeyState> {
  const keyId = await instanceState.get(KEY_ID)
  if (keyId === null) return 'unused'
  return (await findKey(config, keyId)) ? 'present' : 'missing'
}

/**
 * Encrypts and decrypts secrets of authenticator apps; the context is the id of the user. `canCreate`: creates the key
 * if the instance has none. Throws AppError `auth.unavailable` if this process does not have the key of the instance.
 */
export async function loadFactorCipher(app: App, { canCreate }: { canCreate: boolean }): Promise<TextCipher> {
  try {
    const keyId = await app.storage.instanceState.get(KEY_ID)
    const key = keyId === null && canCreate ? await chooseKey(app) : await findKey(app.config, keyId ?? '')
    if (key) return createTextCipher(key, 'mayfly/v1/authenticator')
    app.log.error('factor key missing: authenticator apps do not work', { file: join(app.config.dataDir, FILE) })
  } catch (error) {
    app.log.error('factor key not available', { ...describeCause(error) })
  }
  throw new AppError('auth.unavailable', {
    message: 'Authenticator apps do not work on this server at the moment. Ask an administrator.',
  })
}

/** Chooses the key of the instance, once for all processes. Null: another process has another key. */
async function chooseKey({ storage, config, now }: App): Promise<Buffer | null> {
  const { instanceState, leases } = storage
  const key = config.instanceKey === '' ? await createFile(config) : parseInstanceKey(config.instanceKey)
  const lease = { name: KEY_ID, holder: randomBytes(16).toString('hex'), until: now() + LEASE_MS, now: now() }
  if ((await leases.acquire(lease)) && (await instanceState.get(KEY_ID)) === null)
    await instanceState.set(KEY_ID, fingerprint(key))
  return findKey(config, (await instanceState.get(KEY_ID)) ?? '')
}

/** The key with this fingerprint. A key that was configured later does not replace the file. */
async function findKey(config: KeyConfig, keyId: string): Promise<Buffer | null> {
  const configured = config.instanceKey === '' ? [] : [parseInstanceKey(config.instanceKey)]
  const keys = [...configured, ...(await readFile(join(config.dataDir, FILE)).then(toKeys, ignoreMissing))]
  return keys.find((key) => fingerprint(key) === keyId) ?? null
}

const toKeys = (bytes: Buffer): Buffer[] => [Buffer.from(bytes.toString().trim(), 'base64url')]

function ignoreMissing(error: NodeJS.ErrnoException): Buffer[] {
  if (error.code === 'ENOENT') return []
  throw error
}

/** Creates the file, complete and on disk before it has its name. Another process may have created it before. */
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

/** Says nothing about the key, which has 256 random bits. */
const fingerprint = (key: Buffer): string =>
  createHash('sha256').update('mayfly/v1/factor-key').update(key).digest('hex')
