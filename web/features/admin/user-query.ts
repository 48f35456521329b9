/** The query of the user list: `?search=&role=&skip=&take=`, without defaults. */

/** An empty `role` means any. */
export interface UserQuery {
  search: string
  role: string
  skip: number
  take: number
}

export const PAGE_SIZES = [10, 25] as const
export const ROLES = ['user', 'admin'] as const

const SEARCH_MAX = 255

/** Ignores invalid values. */
export function parseUserQuery(params: URLSearchParams): UserQuery {
  const take = Number(params.get('take'))
  const role = params.get('role') ?? ''
  return {
    search: (params.get('search') ?? '').replace(/\p{Cc}/gu, '').slice(0, SEARCH_MAX),
    role: ROLES.some((each) => each === role) ? role : '',
    skip: Number(/^\d{1,9}$/.exec(params.get('skip') ?? '')?.[0] ?? 0),
    take: PAGE_SIZES.find((each) => each === take) ?? PAGE_SIZES[0],
  }
}

export function formatUserQuery({ search, role, skip, take }: UserQuery): string {
  const params = new URLSearchParams()
  if (search) params.set('search', search)
  if (role) params.set('role', role)
  if (skip > 0) params.set('skip', String(skip))
  if (take !== PAGE_SIZES[0]) params.set('take', String(take))
  return `?${params}`
}
