/** Runs the code of commands for a tool: with streams in memory, and without a terminal. */
import { Readable, Writable } from 'node:stream'
import { omitUndefined } from '../../lib/omit-undefined.js'
import { endRun } from '../../lib/signals.js'
import { createIo, type Io } from '../../output/io.js'
import type { GlobalFlags } from '../command.js'

export interface Captured {
  io: Io
  stdout(): Buffer
  stderr(): Buffer
  /** Some output did not fit. */
  isCut(): boolean
}

interface Options {
  stdin?: Uint8Array
  cwd: string
  /** Variables that the work does not get. */
  withoutVariables?: string[]
  /** Bytes of each stream. */
  maxBytes: number
}

/** Flags of a command that prints one JSON document and never asks. */
export const toAgentFlags = ({ config, profile, timeout, retry, allowHttp, ...rest }: GlobalFlags) => ({
  ...rest,
  ...omitUndefined({ config, profile, retry, allowHttp }),
  timeout,
  json: true as const,
  input: false,
})

/** Runs work with streams in memory, then its cleanup. */
export async function capture<T>(outer: Io, options: Options, work: (captured: Captured) => Promise<T>): Promise<T> {
  const [out, err] = [collect(options.maxBytes), collect(options.maxBytes)]
  const isPassed = ([name]: [string, unknown]) => !options.withoutVariables?.includes(name)
  const io = createIo(
    {
      stdin: Readable.from(options.stdin ? [options.stdin] : [], { objectMode: false }),
      stdout: out.stream,
      stderr: err.stream,
      env: Object.fromEntries(Object.entries(outer.env).filter(isPassed)),
      argv: [],
      isTTY: { stdin: false, stdout: false, stderr: false },
      cwd: options.cwd,
    },
    { input: false },
  )
  try {
    return await work({ io, stdout: out.bytes, stderr: err.bytes, isCut: () => out.isCut() || err.isCut() })
  } finally {
    endRun(io.cleanup)
  }
}

function collect(maxBytes: number) {
  const chunks: Buffer[] = []
  let size = 0
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      const room = Math.max(0, maxBytes - size)
      if (room > 0) chunks.push(Buffer.from(chunk.subarray(0, room)))
      size += chunk.length
      done()
    },
  })
  return { stream, bytes: () => Buffer.concat(chunks), isCut: () => size > maxBytes }
}
