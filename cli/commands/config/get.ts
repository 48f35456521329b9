import { CLIENT_KEYS } from '../../client/client-config.js'
import { command } from '../command.js'

export const configGet = command({
  name: 'config get',
  summary: 'print a default of the command line',
  argument: ['<key>', 'name of the setting', CLIENT_KEYS],
  examples: [['the server that commands use', 'mayfly config get server']],
  async run({ io, flags, args }) {
    const { getClientSetting } = await import('./manage-client-config.js')
    await getClientSetting(args[0] as string, flags, io)
  },
})
