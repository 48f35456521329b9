/** Formats settings: effective values, and the reference table. */
import type { z } from 'zod'
import { envName, type Setting } from './load-config.js'
import { isSecret } from './schema.js'

/** Shown instead of a secret. */
export const MASK = '********'

/** The value as JSON, `off` for null, or a mask if it is secret. */
export function formatValue({ value, schema }: Setting): string {
  if (value === undefined || value === '') return value === '' ? '""' : '-'
  return isSecret(schema) ? MASK : JSON.stringify(value ?? 'off')
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
