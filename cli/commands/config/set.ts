import { CLIENT_KEYS } from '../../client/client-config.js'
import { command } from '../command.js'

export const configSet = command({
  name: 'config set',
  summary: 'set defaults of the command line, such as the server',
  argument: ['<key=value...>', 'settings to change; an empty value removes one', CLIENT_KEYS.map((key) => `${key}=`)],
  examples: [
    [
      'the server that commands use, and the time to live of new secrets',
      'mayfly config set server=https://secrets.example.org ttl=2h',
    ],
    [
      'headers and a client certificate for this server',
      'mayfly config set headers_file=/home/me/headers cert=/home/me/me.pem key=/home/me/me.key',
    ],
    ['the same for a profile', 'mayfly config set --profile work server=https://secrets.example.com'],
  ],
  async run({ io, flags, args }) {
    const { setClientSettings } = await import('./manage-client-config.js')
    await setClientSettings(args, flags, io)
  },
})
