import { command } from '../command.js'
import type { ConfigListFlags } from './print-config.js'

export const configList = command<ConfigListFlags>({
  name: 'config list',
  summary: 'print the settings of the instance that are in force, and where each comes from',
  options: [
    ['--markdown', 'print the reference of all settings instead'],
    ['--set <key=value...>', 'as for `serve`'],
  ],
  examples: [
    ['what `serve` would use; secrets are masked', 'mayfly config list'],
    ['the table for a document', 'mayfly config list --markdown'],
  ],
  async run({ io, flags }) {
    const { createConfigReference, formatConfig } = await import('./print-config.js')
    await io.write(flags.markdown ? await createConfigReference() : await formatConfig(flags, io))
  },
})
