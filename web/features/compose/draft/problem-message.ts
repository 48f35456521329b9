import { t } from 'i18next'
import { formatBytes, formatDuration, formatNumber, isolateLtr } from '../../../lib/format.js'
import { language } from '../../../lib/i18n.js'
import type { useSettings } from '../../../lib/settings.js'
import type { FieldName, Problems } from './validate-draft.js'

type Limits = ReturnType<typeof useSettings>['settings']['limits']

/** The error text of a field. */
export function problemMessage(field: FieldName, problem: Problems[FieldName], limits: Limits): string | null {
  if (!problem) return null
  if ('message' in problem) return problem.message
  if (problem.problem === 'required') return t('compose:required')
  const values = {
    text: { limit: formatBytes(limits.maxTextBytes, language) },
    files: {
      limit: formatBytes(limits.maxFileBytes, language),
      together: formatBytes(limits.maxTextBytes, language),
      max: formatNumber(limits.maxFiles, language),
    },
    ttl: { min: formatDuration(limits.ttlMin, language), max: formatDuration(limits.ttlMax, language) },
    maxViews: { max: formatNumber(limits.maxViews, language) },
    allowedIp: { address: isolateLtr('203.0.113.7'), range: isolateLtr('10.0.0.0/8') },
    password: {},
    title: {},
  }
  return t(`compose:problem.${field}.${problem.problem}`, values[field])
}
