import { INSTANCE_OPTIONS, type InstanceFlags } from '../../instance/instance-options.js'
import { command } from '../command.js'

/** For completions; the API's schema, which is slow to load, has the last word. */
export const SETTING_NAMES = [
  'disable_users',
  'disable_user_account_creation',
  'read_only',
  'disable_file_upload',
  'restrict_organization_email',
]

export const settingsSet = command<InstanceFlags>({
  name: 'settings set',
  summary: 'change settings of administrators; a running server obeys within two seconds',
  argument: ['<key=value...>', 'what to set', SETTING_NAMES.map((name) => `${name}=`)],
  options: INSTANCE_OPTIONS,
  examples: [
    [
      'only people of the house',
      'mayfly settings set disable_user_account_creation=true restrict_organization_email=example.org',
    ],
    ['nothing new for a while', 'mayfly settings set read_only=true'],
  ],
  async run({ io, flags, args }) {
    const { setSettings } = await import('./manage-settings.js')
    await setSettings(args, flags, io)
  },
})
