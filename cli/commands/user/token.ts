import { ADMIN_OPTIONS } from '../../instance/with-administration.js'
import { command } from '../command.js'
import type { UserTokenFlags } from './user-tokens.js'

export const userToken = command<UserTokenFlags>({
  name: 'user token',
  summary: 'create an API token for a user and print it, once; list or revoke tokens',
  argument: ['<name>', 'user name'],
  options: [
    ['--name <name>', 'name of the token', 'shell'],
    ['--ttl <duration>', 'lifetime of the token', '365d'],
    ['--scopes <list>', 'comma-separated: secrets:create,secrets:read,account,admin (default: all scopes of the user)'],
    ['--max-secrets <count>', 'number of secrets that the token can create'],
    ['--max-bytes <count>', 'total size of the secrets that the token can create'],
    ['--allow-ip <address>', 'accept the token only from this IP address or CIDR range'],
    ['--rotate', 'revoke the old token of that name after the new one is created'],
    ['--revoke', 'revoke the token of that name and create none'],
    ['--list', 'list the tokens of the user and create none'],
    ...ADMIN_OPTIONS,
  ],
  examples: [
    ['replace the token at each deployment', 'mayfly user token robot --rotate > /run/secrets/mayfly_token'],
    [
      'for a job that creates one secret within an hour',
      'mayfly user token robot --name job --ttl 1h --scopes secrets:create --max-secrets 1',
    ],
  ],
  async run({ io, flags, args }) {
    const { userToken } = await import('./user-tokens.js')
    await userToken(args, flags, io)
  },
})
