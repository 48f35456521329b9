/** The script that makes a shell finish words, for each shell that there is one for. */

import type { Catalog } from '../commands/command.js'
import { CliError } from '../lib/cli-error.js'
import { bashCompletion } from './bash.js'
import { type Entry, entries } from './command-table.js'
import { fishCompletion } from './fish.js'
import { powershellCompletion } from './powershell.js'
import { zshCompletion } from './zsh.js'

const SCRIPTS: Record<string, (entries: Entry[]) => string> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
  powershell: powershellCompletion,
}

/** Throws CliError `usage`. */
export function completionFor(shell: string | undefined, catalog: Catalog): string {
  const script = Object.entries(SCRIPTS).find(([name]) => name === shell)?.[1]
  if (script) return script(entries(catalog))
  throw new CliError('usage', 'which shell?', `one of: ${Object.keys(SCRIPTS).join(', ')}`)
}
