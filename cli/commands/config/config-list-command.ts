/** Apart from the other commands of its group, because the single file of the client has no code of the server. */
import { command } from '../command.js'
import { HEADER_OPTION } from '../shared-options.js'
import type { ConfigListFlags } from './print-config.js'

export const configList = command<ConfigListFlags>({
  name: 'config list',
  summary:
    'print the config settings of the instance and their origin, or with --client the settings of the command line',
  options: [
    ['--client', 'print the settings of the command line instead, see `mayfly config set`'],
    ['--markdown', 'print the reference of all settings as Markdown'],
    HEADER_OPTION,
    ['--set <key=value...>', 'config settings, as for `serve`'],
  ],
  examples: [
    ['settings that `serve` would use; secrets are masked', 'mayfly config list'],
    ['reference as Markdown', 'mayfly config list --markdown'],
    ['defaults of the command line', 'mayfly config list --client'],
  ],
  async run({ io, flags }) {
    if (flags.client) {
      const { listClientConfig } = await import('./manage-client-config.js')
      return listClientConfig(flags, io)
    }
    const { createConfigReference, formatConfig } = await import('./print-config.js')
    await io.write(flags.markdown ? await createConfigReference() : await formatConfig(flags, io))
  },
})
