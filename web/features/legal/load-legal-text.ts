import type { RichText } from '#shared/rich-text'
import { language } from '../../lib/i18n.js'
import { withBase } from '../../lib/site.js'

export async function loadLegalText(name: 'privacy' | 'terms'): Promise<RichText> {
  const response = await fetch(withBase(`/legal/${language}/${name}.json`))
  // The error page shows the status of a thrown response.
  if (!response.ok) throw response
  return (await response.json()) as RichText
}
