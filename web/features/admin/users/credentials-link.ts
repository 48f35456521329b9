import { t } from 'i18next'
import type { EpochMs } from '#shared/epoch-ms'
import { cryptoWorker } from '../../../crypto-worker/crypto-client.js'
import { api } from '../../../lib/api.js'
import { randomHex } from '../../../lib/random-hex.js'
import { labelCreated } from '../../../lib/session/label-created.js'
import { linkBase } from '../../../lib/site.js'
import type { NewUser } from './AddUserDialog.js'

/** A week, in seconds. */
const LIFETIME_S = 7 * 86_400

export interface CredentialsLink {
  url: string
  expiresAt: EpochMs
}

/**
 * Returns a function that puts the credentials into an encrypted one-view secret. Calling it again after an error
 * creates no second secret. It rejects with ApiError, NetworkError or JobError. `ttlMax`: the limit of the instance, in
 * seconds.
 */
export function prepareCredentialsLink(
  { username, password }: NewUser,
  ttlMax: number,
): () => Promise<CredentialsLink> {
  const idempotencyKey = randomHex()
  const page = `${linkBase()}/`
  const text = t('admin:ready.secret', { page, username, password })
  let sealed: ReturnType<typeof cryptoWorker.seal> | null = null
  return async () => {
    sealed ??= cryptoWorker.seal({
      text,
      files: [],
      title: t('admin:ready.secret-title'),
      ttl: Math.min(LIFETIME_S, ttlMax),
      maxViews: 1,
      preventBurn: false,
    })
    try {
      const { body, fragment } = await sealed
      const { id, expiresAt } = await api.create(body, idempotencyKey)
      labelCreated({ id, expiresAt }, username)
      return { url: `${linkBase()}/secret/${id}#${fragment}`, expiresAt }
    } catch (error) {
      if (error instanceof Error && error.name === 'JobError') sealed = null
      throw error
    }
  }
}
