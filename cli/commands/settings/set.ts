import { SETTING_NAMES } from '#shared/instance-settings'
import { INSTANCE_OPTIONS, type InstanceFlags } from '../../instance/instance-options.js'
import { command } from '../command.js'

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
  async run({ io, flags, words }) {
    const { setSettings } = await import('./manage-settings.js')
    await setSettings(words, flags, io)
  },
})
