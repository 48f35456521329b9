/** Runs one command of this process. */
import { exitOnStreamError } from './lib/stream-errors.js'
import { createIo } from './output/io.js'
import { toWriteError } from './output/write-all.js'
import { runCli } from './run-cli.js'

// The S3 SDK would print a long warning about future Node versions before anything else.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'
// Without a listener it ends the process before a write beyond `ulimit -f` can be reported.
process.on('SIGXFSZ', () => {})

const { stdin, stdout, stderr, env } = process
exitOnStreamError(
  { stdout, stderr },
  (error) => toWriteError(error, 'to stdout'),
  (code) => process.exit(code),
)
const isTTY = { stdin: stdin.isTTY === true, stdout: stdout.isTTY === true, stderr: stderr.isTTY === true }
const argv = process.argv.slice(2)
process.exitCode = await runCli(argv, createIo({ stdin, stdout, stderr, env, argv, isTTY, ownsProcess: true }))
