import type { LoaderFunctionArgs } from 'react-router'
import type { PublicSecret } from '#shared/api'
import { api } from '../../lib/api.js'
import { type OnePage, onePage } from '../../lib/pagination.js'

/** The public secrets of everyone, or of the user in the address. */
export const publicSecrets = ({ params: { username }, request }: LoaderFunctionArgs): Promise<OnePage<PublicSecret>> =>
  onePage(request, (page) => api.publicSecrets({ ...page, ...(username !== undefined && { username }) }))
