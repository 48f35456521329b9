import type { OwnSecret } from '#shared/api'
import { api } from '../../../api.js'

const PAGE = 50

export interface OwnList {
  secrets: OwnSecret[]
  /** Where the page before and the next one start; null where there is none. */
  before: number | null
  next: number | null
}

/** One page of the reader's own secrets, the newest first. `?skip=` says where it starts. */
export async function ownSecrets({ request }: { request: Request }): Promise<OwnList> {
  const skip = Number(/^\d{1,9}$/.exec(new URL(request.url).searchParams.get('skip') ?? '')?.[0] ?? 0)
  // One more than is shown tells whether there is another page.
  const found = await api.ownSecrets({ skip, take: PAGE + 1 })
  return {
    secrets: found.slice(0, PAGE),
    before: skip > 0 ? Math.max(0, skip - PAGE) : null,
    next: found.length > PAGE ? skip + PAGE : null,
  }
}
