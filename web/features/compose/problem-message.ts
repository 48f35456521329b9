import { t } from 'i18next'
import { bytes, duration, leftToRight, number } from '../../lib/format.js'
import { language } from '../../lib/i18n.js'
import type { useSettings } from '../../lib/settings.js'
import type { FieldName, Problems } from './draft-options.js'

type Limits = ReturnType<typeof useSettings>['settings']['limits']

/** What is wrong with a field, with what would be right. */
export function problemText(field: FieldName, problem: Problems[FieldName], limits: Limits): string | null {
  if (!problem) return null
  if ('message' in problem) return t('home:problem.from-server', { message: problem.message })
  const values = {
    text: { limit: bytes(limits.maxTextBytes, language) },
    files: {
      limit: bytes(limits.maxFileBytes, language),
      together: bytes(limits.maxTextBytes, language),
      max: number(limits.maxFiles, language),
    },
    ttl: { min: duration(limits.ttlMin, language), max: duration(limits.ttlMax, language) },
    maxViews: { max: number(limits.maxViews, language) },
    allowedIp: { address: leftToRight('203.0.113.7'), range: leftToRight('10.0.0.0/8') },
    password: {},
    title: {},
  }
  return t(`home:problem.${field}.${problem.problem}`, values[field])
}
