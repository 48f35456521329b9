/** Applies a setup to the instance: schema, first administrator, instance settings, and a test secret. */
import { createApp, freePort, listen, noLog, type RunningApp, stopListening } from '#core/runtime'
import { ApiError, createClient } from '#shared/client/client'
import { decryptViewed, encryptSecret } from '#shared/crypto/encrypt-secret'
import { encodeText } from '#shared/crypto/envelope'
import { accessProof, deriveKeys, newClaim } from '#shared/crypto/keys'
import { parseFragment } from '#shared/link'
import type { InstanceConfig } from '../../instance/instance-config.js'
import { toStartError } from '../../instance/open-database.js'
import { CliError } from '../../lib/cli-error.js'
import { version } from '../../lib/version.js'
import type { Io } from '../../output/io.js'
import { type Admin, createAdmin } from './first-admin.js'
import type { SetupFlags } from './setup-flags.js'

export interface SetupResult {
  /** Names of the migrations that ran. */
  migrated: string[]
  /** `made`: created now. `there`: existed before. `refused`: not created, because there is another administrator. */
  admin: 'made' | 'there' | 'none' | 'refused'
  /** False when the instance is read-only, so that no test secret was created. */
  isVerified: boolean
}

const DRAIN_MS = 1000
const TEXT_MAX = 1024

/** Throws CliError, AppError or ApiError. */
export async function applySetup(
  { settings, plugins }: InstanceConfig,
  admin: Admin | null,
  flags: SetupFlags,
  io: Io,
): Promise<SetupResult> {
  const port = await freePort()
  // Listens on loopback during the setup, with any Host header.
  const own = { ...settings, port, anyAddress: true, publicUrl: `http://127.0.0.1:${port}` }
  const app = await createApp({ settings: own, plugins, log: noLog, version, isServer: false }).catch((error) => {
    throw toStartError(error)
  })
  try {
    io.note(app.migrated.length > 0 ? `schema updated: ${app.migrated.join(', ')}` : 'schema up to date')
    const isTried = await verifyRoundTrip(app, port)
    if (isTried) io.note('test secret created, opened and gone')
    const state = await createAdminIfMissing(app, admin)
    await changeSettings(app, flags)
    return { migrated: app.migrated, admin: state, isVerified: isTried }
  } finally {
    await app.close()
  }
}

async function createAdminIfMissing(app: RunningApp, admin: Admin | null): Promise<SetupResult['admin']> {
  if (await app.storage.users.hasAdmin()) {
    const named = admin && (await app.storage.users.find(admin.username))
    return admin === null || named?.role === 'admin' ? 'there' : 'refused'
  }
  if (!admin) return 'none'
  await createAdmin(app, admin)
  return 'made'
}

async function changeSettings(app: RunningApp, { readOnly, disableSignup, orgEmailDomain }: SetupFlags): Promise<void> {
  const changes = {
    ...(readOnly ? { read_only: true } : {}),
    ...(disableSignup ? { disable_user_account_creation: true } : {}),
    ...(orgEmailDomain === undefined ? {} : { restrict_organization_email: orgEmailDomain }),
  }
  if (Object.keys(changes).length > 0) await app.settings.update(changes, { username: null, address: null })
}

/** Creates and opens a secret over HTTP. Returns false when the instance is read-only. */
async function verifyRoundTrip(app: RunningApp, port: number): Promise<boolean> {
  const server = await listen(app.handler, '127.0.0.1', port)
  try {
    const client = createClient({ server: `http://127.0.0.1:${port}` })
    const text = encodeText('mayfly setup')
    const { body, fragment } = await encryptSecret({ text, ttl: 60 })
    const { id } = await client.create(body, newClaim())
    const linkKey = parseFragment(fragment)
    const { access, passphrase } = await deriveKeys(linkKey)
    const claim = newClaim()
    const viewed = await client.view(id, { claim, access })
    const opened = await decryptViewed(viewed, passphrase, TEXT_MAX)
    await client.ack(id, { claim, access: accessProof(linkKey) })
    if (!Buffer.from(opened.text).equals(Buffer.from(text))) {
      throw new CliError('check_failed', 'the instance returned a different text than was stored')
    }
    return true
  } catch (error) {
    if (error instanceof ApiError && error.code.startsWith('settings.')) return false
    throw error
  } finally {
    await stopListening(server, DRAIN_MS)
  }
}
