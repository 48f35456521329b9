/** Rules about the state of a secret, the same for every storage. */
import type { EpochMs } from '../shared/epoch-ms.js'
import type { SecretMeta } from './storage.js'

type Views = Pick<SecretMeta, 'maxViews' | 'views' | 'preventBurn'>

/** Number of views left; null: unlimited. */
export function viewsLeft({ maxViews, views, preventBurn }: Views): number | null {
  return maxViews === null || preventBurn ? null : Math.max(0, maxViews - views)
}

/** True after the last view. */
export const isUsedUp = (secret: Views): boolean => viewsLeft(secret) === 0

/** True while the secret has not expired and has views left. */
export const isOpen = (secret: Views & Pick<SecretMeta, 'expiresAt'>, now: EpochMs): boolean =>
  secret.expiresAt > now && !isUsedUp(secret)
