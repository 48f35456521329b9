/** The filter of the list of secrets: `?state=`, absent for live secrets. */
import type { EndedSecret } from '#shared/api'

export type SecretFilter = 'live' | 'ended' | EndedSecret['state']

export const SECRET_FILTERS: readonly SecretFilter[] = ['live', 'ended', 'used-up', 'burned', 'expired']

/** Live secrets for an unknown state. */
export function parseSecretFilter(params: URLSearchParams): SecretFilter {
  const state = params.get('state')
  return SECRET_FILTERS.find((each) => each === state) ?? 'live'
}

/** The start of a query of the page, for more parameters: empty, or ending with `&`. */
export const formatSecretFilter = (filter: SecretFilter): string => (filter === 'live' ? '' : `state=${filter}&`)

/** The value for the API; undefined for every end. */
export const toEndedState = (filter: SecretFilter): EndedSecret['state'] | undefined =>
  filter === 'live' || filter === 'ended' ? undefined : filter
