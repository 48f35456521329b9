import { choicesOf, isFlag, SETTING_NAMES } from '#shared/instance-settings'
import { COLUMN_NAMES, FIXED_AUDIENCES } from '#shared/policies'
import { ADMIN_OPTIONS, type AdminFlags } from '../../instance/with-administration.js'
import type { ListFlags } from '../../output/table.js'
import { type Command, command } from '../command.js'
import { HEADER_OPTION } from '../shared-options.js'
import type { PolicyFlags } from './manage-policies.js'
import type { PresetFlags } from './manage-presets.js'

const settingsList = command<AdminFlags & ListFlags>({
  name: 'settings list',
  summary: 'list the settings of the instance and of the configured plugins',
  options: [HEADER_OPTION, ...ADMIN_OPTIONS],
  examples: [['all settings', 'mayfly settings list']],
  run: async ({ io, flags }) => (await import('./manage-settings.js')).listSettings(flags, io),
})

export const settingsGet = command<AdminFlags>({
  name: 'settings get',
  summary: 'print an instance setting',
  argument: ['<setting>', 'name of the setting', SETTING_NAMES],
  options: ADMIN_OPTIONS,
  examples: [['only the value', 'mayfly settings get read_only']],
  run: async ({ io, flags, args }) => (await import('./manage-settings.js')).getSetting(args[0] as string, flags, io),
})

export const settingsSet = command<AdminFlags>({
  name: 'settings set',
  summary: 'change instance settings; a running server applies them within two seconds',
  argument: ['<key=value...>', 'settings to change', listAssignments()],
  options: ADMIN_OPTIONS,
  examples: [
    [
      'allow only accounts of one organization',
      'mayfly settings set disable_user_account_creation=true restrict_organization_email=example.org',
    ],
    ['accept no new secrets', 'mayfly settings set read_only=true'],
    ['require an account for new secrets', 'mayfly settings set who_can_create=users'],
  ],
  run: async ({ io, flags, args }) => (await import('./manage-settings.js')).setSettings(args, flags, io),
})

/** `read_only=true`, ... A setting with any value: its name and `=`. */
function listAssignments(): string[] {
  return SETTING_NAMES.flatMap((name) => {
    const values = isFlag(name) ? ['true', 'false'] : (choicesOf(name) ?? [''])
    return values.map((value) => `${name}=${value}`)
  })
}

const settingsPolicy = command<PolicyFlags>({
  name: 'settings policy',
  summary: 'list the policies, or change what an audience may choose for secrets, requests and files',
  argument: [
    '[words...]',
    'audience (visitors, users, administrators or group:NAME), then column=value; an empty value leaves it to others',
    [...FIXED_AUDIENCES, ...COLUMN_NAMES.map((column) => `${column}=`)],
  ],
  options: [['--remove', 'remove all values of the audience'], HEADER_OPTION, ...ADMIN_OPTIONS],
  examples: [
    ['all policies', 'mayfly settings policy'],
    ['visitors: one-time secrets of up to a day', 'mayfly settings policy visitors maxViews=1 lifetimes=5m..1d'],
    [
      'users: one of three lifetimes, and a password',
      'mayfly settings policy users lifetimes=1h,1d,7d password=required',
    ],
    ['a group of users', 'mayfly settings policy group:support maxFileBytes=1GiB files=true'],
  ],
  run: async ({ io, flags, args }) => (await import('./manage-policies.js')).managePolicies(args, flags, io),
})

const settingsExplain = command<AdminFlags & ListFlags>({
  name: 'settings explain',
  summary:
    'show each value of the policy of a user, or of visitors, and the groups of the user, and where they come from',
  argument: ['[user]', 'username (default: a visitor)'],
  options: [HEADER_OPTION, ...ADMIN_OPTIONS],
  examples: [['why a user may not send files', 'mayfly settings explain alice']],
  run: async ({ io, flags, args }) => (await import('./manage-policies.js')).explainPolicy(args[0], flags, io),
})

const settingsPreset = command<PresetFlags>({
  name: 'settings preset',
  summary: 'list the presets, or add, change or remove one: named options for new secrets',
  argument: [
    '[words...]',
    'name, then ttl=..., maxViews=... and options=...; an empty value leaves it to the defaults of the sender',
    ['ttl=', 'maxViews=', 'options='],
  ],
  options: [['--remove', 'remove the preset'], HEADER_OPTION, ...ADMIN_OPTIONS],
  examples: [
    ['a password for one day', "mayfly settings preset 'Password, one day' ttl=1d maxViews=1"],
    ['only for named recipients', 'mayfly settings preset Contract ttl=14d options=recipients,receipt'],
    ['all presets', 'mayfly settings preset'],
  ],
  run: async ({ io, flags, args }) => (await import('./manage-presets.js')).managePresets(args, flags, io),
})

export const settingsCommands: Command[] = [
  settingsList,
  settingsGet,
  settingsSet,
  settingsPolicy,
  settingsExplain,
  settingsPreset,
]
