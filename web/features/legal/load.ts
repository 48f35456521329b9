import type { RichText } from '#shared/rich-text'
import { language } from '../../lib/i18n.js'
import { address } from '../../lib/site.js'

const load = (name: 'privacy' | 'terms') => async (): Promise<RichText> => {
  const response = await fetch(address(`/legal/${language}/${name}.json`))
  // The router shows what it is thrown, with its status.
  if (!response.ok) throw response
  return (await response.json()) as RichText
}

export const privacyText = load('privacy')
export const termsText = load('terms')
