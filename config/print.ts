/** Prints settings: effective values with their origins, and the reference table. */
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

/** Three columns: key, value, origin. */
export function printSettings(settings: Setting[]): string {
  const rows = settings.map((setting) => [setting.key, formatValue(setting), setting.origin])
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0))
  return rows
    .map(([key = '', value = '', origin]) => `${key.padEnd(width(0))}  ${value.padEnd(width(1))}  ${origin}\n`)
    .join('')
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
