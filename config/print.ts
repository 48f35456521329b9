/** Formats settings: effective values, and the reference table. */
import type { z } from 'zod'
import { isSecretOption } from '#shared/option-schemas'
import { envName, type Setting } from './load-config.js'

/** Shown instead of a secret. */
export const MASK = '********'

/** The value as JSON, `off` for null, or a mask if it is secret. */
export function formatValue(setting: Setting): string {
  const { value } = setting
  if (value === undefined || value === '') return value === '' ? '""' : '-'
  return isSecretOption(setting.schema) ? MASK : JSON.stringify(maskValue(setting) ?? 'off')
}

/** The value, or a mask if it is secret. In URLs, credentials and queries are masked. */
export function maskValue({ value, schema }: Setting): unknown {
  if (value === undefined || value === '') return value
  if (isSecretOption(schema)) return MASK
  if (Array.isArray(value)) return value.map(maskUrl)
  return maskUrl(value)
}

function maskUrl(value: unknown): unknown {
  if (typeof value !== 'string' || !/^[a-z][a-z0-9+.-]*:\/\//i.test(value)) return value
  return value.replace(/^([^/]*\/\/)[^/?#]*@/, `$1${MASK}@`).replace(/\?.*$/s, `?${MASK}`)
}

/** The reference table of a section, for docs/configuration.md. */
export function markdownTable(section: string | null, schema: z.ZodObject): string {
  const prefix = section === null ? '' : `${section}.`
  const rows = Object.entries<z.ZodType>(schema.shape).map(([option, field]) => {
    const key = prefix + option
    const { data: value } = field.safeParse(undefined)
    const shown =
      value === undefined || String(value) === ''
        ? ''
        : `\`${Array.isArray(value) ? value.join(',') : (value ?? 'off')}\``
    return `| \`${key}\` | \`${envName(key)}\` | ${shown} | ${field.description ?? ''} |`
  })
  return ['| setting | variable | default | |', '|---|---|---|---|', ...rows, ''].join('\n')
}
