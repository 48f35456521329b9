import { CLIENT_KEYS } from '../../client/client-config.js'
import { type Command, command } from '../command.js'

const configGet = command({
  name: 'config get',
  summary: 'print a default of the command line',
  argument: ['<key>', 'name of the setting', CLIENT_KEYS],
  examples: [['the server that commands use', 'mayfly config get server']],
  run: async ({ io, flags, args }) =>
    (await import('./manage-client-config.js')).getClientSetting(args[0] as string, flags, io),
})

const configSet = command({
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
  run: async ({ io, flags, args }) => (await import('./manage-client-config.js')).setClientSettings(args, flags, io),
})

export const configCommands: Command[] = [configGet, configSet]
