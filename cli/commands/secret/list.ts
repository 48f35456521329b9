import { command } from '../command.js'
import { HEADER_OPTION, PAGE_OPTIONS } from '../list-options.js'
import type { SecretListFlags } from './list-secrets.js'
import { ENDED_STATES } from './secret-states.js'

export const secretList = command<SecretListFlags>({
  name: 'secret list',
  summary: 'list your secrets that are not gone yet, newest first, or with --state those that have ended',
  options: [
    ['-s, --server <url>', 'server to use (default: MAYFLY_SERVER, or `server` in the config file)'],
    [
      '--state <state>',
      'live secrets, all that have ended, or those that ended this way',
      'live',
      ['live', ...ENDED_STATES],
    ],
    ...PAGE_OPTIONS,
    HEADER_OPTION,
  ],
  examples: [
    ['burn all of them', 'mayfly secret list | cut -f1 | xargs -n1 mayfly secret burn --yes'],
    ['secrets that expired before they were used up', 'mayfly secret list --state expired'],
  ],
  async run({ io, flags }) {
    const { listOwnSecrets } = await import('./list-secrets.js')
    await listOwnSecrets(flags, io)
  },
})
