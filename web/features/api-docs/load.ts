import { address } from '../../lib/site.js'
import { type ApiDocument, grouped, type RawDocument } from './openapi-document.js'

export async function apiDocument(): Promise<ApiDocument> {
  const response = await fetch(address('/api/v1/openapi.json'))
  // The router shows what it is thrown, with its status.
  if (!response.ok) throw response
  return grouped((await response.json()) as RawDocument)
}
