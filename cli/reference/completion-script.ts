/** Completion scripts by shell. */

import type { Catalog } from '../commands/command.js'
import { CliError } from '../lib/cli-error.js'
import { createBashCompletion } from './bash.js'
import { type Entry, listEntries } from './command-table.js'
import { createFishCompletion } from './fish.js'
import { createPowershellCompletion } from './powershell.js'
import { createZshCompletion } from './zsh.js'

const SCRIPTS: Record<string, (entries: Entry[]) => string> = {
  bash: createBashCompletion,
  zsh: createZshCompletion,
  fish: createFishCompletion,
  powershell: createPowershellCompletion,
}

/** Throws CliError `usage`. */
export function createCompletionScript(shell: string | undefined, catalog: Catalog): string {
  const script = Object.entries(SCRIPTS).find(([name]) => name === shell)?.[1]
  if (script) return script(listEntries(catalog))
  throw new CliError('usage', 'missing argument: shell', `one of: ${Object.keys(SCRIPTS).join(', ')}`)
}
