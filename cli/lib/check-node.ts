/**
 * Ends the program on a Node.js that is too old, with one line and exit code 2. Imports nothing else, so that an old
 * one can run it.
 */
import { describeOldNode } from './node-version.js'

const problem = describeOldNode(process.versions.node)
if (problem !== null) {
  process.stderr.write(`mayfly: error: ${problem}\n`)
  process.exit(2)
}
