/** Everything that needs the instance itself: its schema, its administrator, its settings, and a secret to try it. */
import { type App, createApp, freePort, listen, noLog, stopListening } from '#core/runtime'
import { ApiError, createClient } from '#shared/client/client'
import { decryptViewed, encryptSecret } from '#shared/crypto/encrypt-secret'
import { encodeText } from '#shared/crypto/envelope'
import { accessProof, deriveKeys, newClaim } from '#shared/crypto/keys'
import { parseFragment } from '#shared/link'
import type { Boot } from '../../instance/boot.js'
import { startFailure } from '../../instance/open-database.js'
import { CliError } from '../../lib/cli-error.js'
import { version } from '../../lib/version.js'
import type { Io } from '../../output/io.js'
import { type Admin, makeAdmin } from './first-admin.js'
import type { SetupFlags } from './setup-flags.js'

export interface Finished {
  /** Names of the migrations that ran. */
  migrated: string[]
  /** `made`, `there` for an administrator from before, or `none`. */
  admin: 'made' | 'there' | 'none'
  /** False when nobody but an administrator may make secrets. */
  isTried: boolean
}

const DRAIN_MS = 1000
const TEXT_MAX = 1024

/** Throws CliError, AppError, or what the server answers. */
export async function finish(
  { settings, plugins }: Boot,
  admin: Admin | null,
  flags: SetupFlags,
  io: Io,
): Promise<Finished> {
  const port = await freePort()
  // For as long as this takes it answers on the loopback, under whatever name.
  const own = { ...settings, port, anyAddress: true, publicUrl: `http://127.0.0.1:${port}` }
  const app = await createApp({ settings: own, plugins, log: noLog, version }).catch((error) => {
    throw startFailure(error)
  })
  try {
    io.note(app.migrated.length > 0 ? `schema brought up to date: ${app.migrated.join(', ')}` : 'schema up to date')
    const isTried = await tryIt(app, port)
    if (isTried) io.note('a secret was made, opened and is gone: it works')
    const state = await settleAdmin(app, admin)
    await changeSettings(app, flags)
    return { migrated: app.migrated, admin: state, isTried }
  } finally {
    await app.close()
  }
}

async function settleAdmin(app: App, admin: Admin | null): Promise<Finished['admin']> {
  if (await app.storage.users.hasAdmin()) return 'there'
  if (!admin) return 'none'
  await makeAdmin(app, admin)
  return 'made'
}

async function changeSettings(
  { services }: App,
  { readOnly, disableSignup, orgEmailDomain }: SetupFlags,
): Promise<void> {
  const changes = {
    ...(readOnly ? { read_only: true } : {}),
    ...(disableSignup ? { disable_user_account_creation: true } : {}),
    ...(orgEmailDomain === undefined ? {} : { restrict_organization_email: orgEmailDomain }),
  }
  if (Object.keys(changes).length > 0) await services.settings.update(changes, { username: null, address: null })
}

/** As a client does it, over HTTP. False when the instance is read-only. */
async function tryIt(app: App, port: number): Promise<boolean> {
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
      throw new CliError('check_failed', 'the instance does not give back what was put there')
    }
    return true
  } catch (error) {
    if (error instanceof ApiError && error.code === 'settings.read_only') return false
    throw error
  } finally {
    await stopListening(server, DRAIN_MS)
  }
}
