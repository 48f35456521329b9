import { command } from '../command.js'
import { HEADER_OPTION, PAGE_OPTIONS } from '../list-options.js'
import type { SecretListFlags } from './list-secrets.js'

export const secretList = command<SecretListFlags>({
  name: 'secret list',
  summary: 'list your secrets that are not gone yet, newest first',
  options: [
    ['-s, --server <url>', 'server to use (default: MAYFLY_SERVER, or `server` in the config file)'],
    ...PAGE_OPTIONS,
    HEADER_OPTION,
  ],
  examples: [['burn all of them', 'mayfly secret list | cut -f1 | xargs -n1 mayfly secret burn --yes']],
  async run({ io, flags }) {
    const { listOwnSecrets } = await import('./list-secrets.js')
    await listOwnSecrets(flags, io)
  },
})
