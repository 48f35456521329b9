/**
 * The instance settings, which administrators change at run time. The API schemas, the OpenAPI document, the parsing of
 * stored values, the CLI, the defaults of the page and the admin form follow from this table. It is plain data, because
 * the page loads no schemas. See "Add a setting" in core/README.md.
 */

interface Definition {
  /** `domains`: e-mail domains joined by commas; empty: any. A list: one of these values, the strictest last. */
  type: 'boolean' | 'domains' | readonly string[]
  /** Until an administrator sets it. */
  default: boolean | string
  /** Whether `GET /settings` returns it to everyone. */
  isPublic: boolean
  /** Section of the admin form. */
  group: 'access' | 'content' | 'receipts' | 'sign-up' | 'sign-in'
}

export const INSTANCE_SETTINGS = {
  read_only: { type: 'boolean', default: false, isPublic: true, group: 'access' },
  who_can_create: { type: ['anyone', 'users', 'admins'], default: 'anyone', isPublic: true, group: 'access' },
  who_can_request: {
    type: ['anyone', 'users', 'admins', 'none'],
    default: 'users',
    isPublic: true,
    group: 'access',
  },
  disable_users: { type: 'boolean', default: false, isPublic: true, group: 'access' },
  disable_user_account_creation: { type: 'boolean', default: false, isPublic: true, group: 'access' },
  disable_file_upload: { type: 'boolean', default: false, isPublic: true, group: 'content' },
  receipt_retention_days: { type: ['90', '30', '7', '1', '0'], default: '30', isPublic: false, group: 'receipts' },
  receipt_reader_details: { type: 'boolean', default: false, isPublic: false, group: 'receipts' },
  restrict_organization_email: { type: 'domains', default: '', isPublic: false, group: 'sign-up' },
  second_factor: {
    type: ['off', 'optional', 'administrators', 'everyone'],
    default: 'optional',
    isPublic: false,
    group: 'sign-in',
  },
  second_factor_grace_days: { type: ['30', '14', '7', '1', '0'], default: '7', isPublic: false, group: 'sign-in' },
  second_factor_by_provider: { type: 'boolean', default: false, isPublic: false, group: 'sign-in' },
  token_lifetime_days: {
    type: ['unlimited', '365', '90', '30'],
    default: 'unlimited',
    isPublic: true,
    group: 'sign-in',
  },
} as const satisfies Record<string, Definition>

type Definitions = typeof INSTANCE_SETTINGS

export type SettingName = keyof Definitions

export type SettingGroup = Definition['group']

type NamesWhere<Part> = { [Name in SettingName]: Definitions[Name] extends Part ? Name : never }[SettingName]

/** Names of the settings that are on or off. */
export type FlagName = NamesWhere<{ type: 'boolean' }>

/** Names of the settings with one of several values. */
export type ChoiceName = NamesWhere<{ type: readonly string[] }>

/** Names of the settings that everyone may read. */
export type PublicSettingName = NamesWhere<{ isPublic: true }>

/** A value of every instance setting. */
export type InstanceSettings = {
  [Name in SettingName]: Definitions[Name]['type'] extends readonly (infer Choice)[]
    ? Choice
    : Definitions[Name] extends { type: 'boolean' }
      ? boolean
      : string
}

export type PublicInstanceSettings = Pick<InstanceSettings, PublicSettingName>

/** In the order of the table. */
export const SETTING_NAMES = Object.keys(INSTANCE_SETTINGS) as SettingName[]

export const isFlag = (name: SettingName): name is FlagName => INSTANCE_SETTINGS[name].type === 'boolean'

/** The values of a setting, or null without a fixed list of values. The strictest is the last. */
export function choicesOf(name: SettingName): readonly string[] | null {
  const { type }: Definition = INSTANCE_SETTINGS[name]
  return typeof type === 'string' ? null : type
}

export const isChoice = (name: SettingName): name is ChoiceName => choicesOf(name) !== null

export const isPublicSetting = (name: SettingName): name is PublicSettingName => INSTANCE_SETTINGS[name].isPublic

/** An object of the given settings. `compute` returns the value of a setting. */
export const mapSettings = <Name extends SettingName, Value>(names: Name[], compute: (name: Name) => Value) =>
  Object.fromEntries(names.map((name) => [name, compute(name)])) as Record<Name, Value>

/** The values of the public settings until an administrator changes them. */
export const defaultPublicSettings = (): PublicInstanceSettings =>
  mapSettings(
    SETTING_NAMES.filter(isPublicSetting),
    (name) => INSTANCE_SETTINGS[name].default,
  ) as PublicInstanceSettings
