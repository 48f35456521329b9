/** Somebody's credentials as a secret that opens once. It is sealed here, like any other. */
import { t } from 'i18next'
import { sealing } from '../../../crypto-worker/crypto-client.js'
import { api } from '../../../lib/api.js'
import { address } from '../../../lib/site.js'
import type { NewAccount } from './AddUserDialog.js'

/** Long enough for somebody who is away for the weekend, in seconds. */
const LIFETIME_S = 7 * 86_400

export interface OneTimeLink {
  url: string
  /** Epoch ms. */
  expiresAt: number
}

/**
 * However often it is called, the server makes one secret of it. `ttlMax`: the longest that the instance allows, in
 * seconds. The call rejects with ApiError, NetworkError or JobError.
 */
export function prepareLink({ username, password }: NewAccount, ttlMax: number): () => Promise<OneTimeLink> {
  const key = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
  const page = location.origin + address('/')
  const text = t('admin:ready.secret', { page, username, password })
  let sealed: ReturnType<typeof sealing.seal> | null = null
  return async () => {
    sealed ??= sealing.seal({
      text,
      files: [],
      title: t('admin:ready.secret-title'),
      ttl: Math.min(LIFETIME_S, ttlMax),
      maxViews: 1,
      preventBurn: false,
    })
    try {
      const { body, fragment } = await sealed
      const { url, expiresAt } = await api.create(body, key)
      return { url: `${url}#${fragment}`, expiresAt }
    } catch (error) {
      if (error instanceof Error && error.name === 'JobError') sealed = null
      throw error
    }
  }
}
