#!/usr/bin/env node
import { exitOnBrokenPipe } from './lib/broken-pipe.js'
import { createIo } from './output/io.js'
import { runCli } from './run-cli.js'

// The S3 SDK would print a long warning about future Node versions before anything else.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'

const { stdin, stdout, stderr, env } = process
exitOnBrokenPipe([stdout, stderr], (code) => process.exit(code))
const isTTY = { stdin: stdin.isTTY === true, stdout: stdout.isTTY === true, stderr: stderr.isTTY === true }
const argv = process.argv.slice(2)
process.exitCode = await runCli(argv, createIo({ stdin, stdout, stderr, env, argv, isTTY, ownsProcess: true }))
