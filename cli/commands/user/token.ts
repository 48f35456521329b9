import { INSTANCE_OPTIONS } from '../../instance/instance-options.js'
import { command } from '../command.js'
import type { UserTokenFlags } from './user-tokens.js'

export const userToken = command<UserTokenFlags>({
  name: 'user token',
  summary: 'make an API token for somebody and print it, once',
  argument: ['<name>', 'the user name'],
  options: [
    ['--name <name>', 'what the token is called', 'shell'],
    ['--ttl <duration>', 'how long it is good for', '365d'],
    ['--scopes <list>', 'of secrets:create,secrets:read,account,admin (default: all that they may do)'],
    ['--max-secrets <count>', 'how many secrets can be made with it'],
    ['--max-bytes <count>', 'how large they can be, all together'],
    ['--allow-ip <address>', 'only from this address or CIDR range'],
    ['--rotate', 'revoke the one of that name, once the new one is made'],
    ['--revoke', 'revoke the one of that name, and make none'],
    ...INSTANCE_OPTIONS,
  ],
  examples: [
    ['for a machine, renewed at each deployment', 'mayfly user token robot --rotate > /run/secrets/mayfly_token'],
    [
      'for a job that makes one secret in the next hour',
      'mayfly user token robot --name job --ttl 1h --scopes secrets:create --max-secrets 1',
    ],
  ],
  async run({ io, flags, args }) {
    const { userToken } = await import('./user-tokens.js')
    await userToken(args, flags, io)
  },
})
