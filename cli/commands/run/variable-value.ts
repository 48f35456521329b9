/** Values of environment variables. */
import { isUtf8 } from 'node:buffer'
import { CliError } from '../../lib/cli-error.js'
import type { LinkUse } from '../../secrets/open-links.js'
import { stripLineEnd } from '../../secrets/strip-line-end.js'
import type { Variable } from './link-variables.js'

/** Maximum size of a variable on Linux in bytes, including name, `=` and the final NUL. */
const VARIABLE_MAX = 128 * 1024

/** Throws CliError `usage` with the hint when a variable cannot hold the text. The secret is not acknowledged then. */
export function toVariable(name: string, text: Uint8Array, hint: string): string {
  // As in `$(...)`, a password in a variable ends without the line end that `echo` added.
  const value = stripLineEnd(Buffer.from(text))
  if (isUtf8(value) && !value.includes(0) && name.length + value.length + 2 <= VARIABLE_MAX) return value.toString()
  throw new CliError('usage', `${name}: this value does not fit into a variable`, hint)
}

/** Returns the variables whose value is a link. */
export const listUses = (variables: Variable[]): LinkUse[] =>
  variables.filter(({ isLink }) => isLink).map(({ name, value }) => ({ name, link: value }))
