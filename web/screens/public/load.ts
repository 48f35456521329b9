import type { LoaderFunctionArgs } from 'react-router'
import type { PublicSecret } from '#shared/api'
import { api } from '../../api.js'

const PAGE = 50

export interface PublicList {
  secrets: PublicSecret[]
  skip: number
  /** Where the next page starts; null on the last one. */
  next: number | null
}

/** One page of the public secrets: of everyone, or of the user in the address. `?skip=` says where it starts. */
export async function publicSecrets({ params: { username }, request }: LoaderFunctionArgs): Promise<PublicList> {
  const skip = Number(/^\d{1,9}$/.exec(new URL(request.url).searchParams.get('skip') ?? '')?.[0] ?? 0)
  // One more than is shown tells whether there is another page.
  const found = await api.publicSecrets({ skip, take: PAGE + 1, ...(username !== undefined && { username }) })
  return { secrets: found.slice(0, PAGE), skip, next: found.length > PAGE ? skip + PAGE : null }
}

/** Where the page before starts. */
export const before = (skip: number): number => Math.max(0, skip - PAGE)
