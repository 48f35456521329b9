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
  if (script) return script(addCommandWords(listEntries(catalog)))
  throw new CliError('usage', 'missing argument: shell', `one of: ${Object.keys(SCRIPTS).join(', ')}`)
}

/** Commands whose argument is the name of another command. */
const TAKE_COMMAND = ['help', 'man']

/** Offers after `help secret` the words that may follow `secret`. */
function addCommandWords(entries: Entry[]): Entry[] {
  const isGroup = ({ command, path }: Entry) => command === null && path !== ''
  const root = entries.find(({ path }) => path === '')
  return entries.flatMap((entry) => {
    if (!TAKE_COMMAND.includes(entry.path)) return [entry]
    const groups = entries
      .filter(isGroup)
      .map((group) => ({ ...entry, path: `${entry.path} ${group.path}`, next: group.next }))
    return [{ ...entry, next: [...entry.next, ...(root?.next ?? [])] }, ...groups]
  })
}
