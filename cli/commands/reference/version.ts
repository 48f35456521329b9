import { version } from '../../lib/version.js'
import { command } from '../command.js'

export const versionCommand = command({
  name: 'version',
  summary: 'print the version',
  examples: [['as JSON', 'mayfly version --json']],
  async run({ io, flags }) {
    await io.write(
      flags.json ? `${JSON.stringify({ schema_version: 1, version, node: process.version })}\n` : `${version}\n`,
    )
  },
})
