import { INSTANCE_OPTIONS, type InstanceFlags } from '../../instance/instance-options.js'
import { command } from '../command.js'

/** Names for completions. A copy of the API schema's keys, which is slow to load. */
export const SETTING_NAMES = [
  'disable_users',
  'disable_user_account_creation',
  'read_only',
  'disable_file_upload',
  'restrict_organization_email',
]

export const settingsSet = command<InstanceFlags>({
  name: 'settings set',
  summary: 'change instance settings; a running server applies them within two seconds',
  argument: ['<key=value...>', 'settings to change', SETTING_NAMES.map((name) => `${name}=`)],
  options: INSTANCE_OPTIONS,
  examples: [
    [
      'allow only accounts of one organization',
      'mayfly settings set disable_user_account_creation=true restrict_organization_email=example.org',
    ],
    ['accept no new secrets', 'mayfly settings set read_only=true'],
  ],
  async run({ io, flags, args }) {
    const { setSettings } = await import('./manage-settings.js')
    await setSettings(args, flags, io)
  },
})
