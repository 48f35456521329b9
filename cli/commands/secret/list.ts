import { HEADER_OPTION, PAGE_OPTIONS } from '../account-options.js'
import { command } from '../command.js'
import type { SecretListFlags } from './list-secrets.js'

export const secretList = command<SecretListFlags>({
  name: 'secret list',
  summary: 'list the secrets that you made and that are still there, the newest first',
  options: [
    ['-s, --server <url>', 'of which server (default: MAYFLY_SERVER, or `server` in the config file)'],
    ...PAGE_OPTIONS,
    HEADER_OPTION,
  ],
  examples: [['burn them all', 'mayfly secret list | cut -f1 | xargs -n1 mayfly secret burn --yes']],
  async run({ io, flags }) {
    const { listOwnSecrets } = await import('./list-secrets.js')
    await listOwnSecrets(flags, io)
  },
})
