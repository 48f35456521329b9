import type { OwnSecret } from '#shared/api'
import { api } from '../../../lib/api.js'
import { type OnePage, onePage } from '../../../lib/pagination.js'

/** The reader's own secrets, the newest first. */
export const ownSecrets = ({ request }: { request: Request }): Promise<OnePage<OwnSecret>> =>
  onePage(request, api.ownSecrets)
