/** Instance settings that plugins declare: their definitions, and the conversion of values. */
import { z } from 'zod'
import { isOneLine, isWellFormed } from '../shared/api/common.js'
import { describeIssue } from '../shared/describe-issue.js'
import { isSecretOption } from '../shared/option-schemas.js'
import type { SettingValue } from '../shared/plugin-setting.js'

/** The declaration of one setting. */
export interface PluginSetting {
  /** Plugin and setting, such as `notes.banner`. */
  name: string
  plugin: string
  type: 'boolean' | 'number' | 'text' | 'choice'
  default: SettingValue
  /** Label in the admin form. Empty: the name. */
  label: string
  hint: string
  /** Values of a choice; otherwise empty. */
  choices: string[]
  /** Range of a number; null otherwise. */
  min: number | null
  max: number | null
  /** Returns the valid value, or the problem. */
  check(value: unknown): { value: SettingValue } | { problem: string }
}

/** The part of a plugin that declares settings. */
export interface SettingsDeclaration {
  name: string
  settings?: z.ZodObject
}

const SETTINGS_MAX = 50
/** Characters of plugin and setting together, which the database stores. */
const NAME_MAX = 64
/** Characters of a text. */
const TEXT_MAX = 2000
const NAME = /^[a-z][a-z0-9_]*$/

/** Reads the declared settings of a plugin. Throws an Error that names the invalid setting. */
export function readPluginSettings({ name: plugin, settings }: SettingsDeclaration): PluginSetting[] {
  if (settings === undefined) return []
  // Not instanceof: a package may carry its own copy of zod.
  if (typeof settings?.shape !== 'object') throw new Error('settings must be a z.object')
  const entries = Object.entries(settings.shape)
  if (entries.length > SETTINGS_MAX) throw new Error(`has ${entries.length} settings; the maximum is ${SETTINGS_MAX}`)
  return entries.map(([key, schema]) => {
    try {
      return readSetting(plugin, key, schema as z.ZodType)
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause)
      throw new Error(`has the invalid setting "${key}": ${reason}`, { cause })
    }
  })
}

function readSetting(plugin: string, key: string, schema: z.ZodType): PluginSetting {
  const name = `${plugin}.${key}`
  if (!NAME.test(key)) throw new Error('its name must be lower-case letters, digits and "_"')
  if (name.length > NAME_MAX) throw new Error(`"${name}" must have up to ${NAME_MAX} characters`)
  if (isSecretOption(schema))
    throw new Error('a secret value must be an option, because every administrator sees settings')
  const { title = '', description = '', ...json } = describeSchema(schema)
  const type = typeOf(json)
  const check = (value: unknown) => checkValue(schema, type, value)
  const fallback = check(undefined)
  if ('problem' in fallback) throw new Error(`it needs a valid default value: ${fallback.problem}`)
  const isNumber = type === 'number'
  return {
    name,
    plugin,
    type,
    check,
    label: title,
    hint: description,
    default: fallback.value,
    choices: type === 'choice' ? (json.enum ?? []) : [],
    min: isNumber ? (json.minimum ?? Number.MIN_SAFE_INTEGER) : null,
    max: isNumber ? (json.maximum ?? Number.MAX_SAFE_INTEGER) : null,
  }
}

interface JsonSchema {
  type?: string
  enum?: string[]
  minimum?: number
  maximum?: number
  title?: string
  description?: string
}

/** The schema of the values, which may also accept text. */
const describeSchema = (schema: z.ZodType): JsonSchema =>
  z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }) as JsonSchema

function typeOf({ type, enum: choices }: JsonSchema): PluginSetting['type'] {
  if (choices?.every((choice) => typeof choice === 'string')) return 'choice'
  if (type === 'boolean') return 'boolean'
  if (type === 'integer') return 'number'
  if (type === 'string') return 'text'
  throw new Error('its type must be boolean, whole number, text or one of several texts')
}

function checkValue(
  schema: z.ZodType,
  type: PluginSetting['type'],
  value: unknown,
): { value: SettingValue } | { problem: string } {
  const parsed = schema.safeParse(typeof value === 'string' ? parseText(type, value) : value)
  if (!parsed.success) return { problem: describeIssue(parsed.error.issues[0]) }
  const result = parsed.data as SettingValue
  if (typeof result === 'string') {
    if (result.length > TEXT_MAX) return { problem: `must have up to ${TEXT_MAX} characters` }
    if (!isOneLine(result) || !isWellFormed(result)) return { problem: 'must be one line without control characters' }
  }
  return { value: result }
}

/** Converts stored texts and texts of the command line. Other texts stay as they are, for the error of the schema. */
function parseText(type: PluginSetting['type'], text: string): SettingValue {
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  if (type === 'number' && /^-?\d{1,15}$/.test(text)) return Number(text)
  return text
}
