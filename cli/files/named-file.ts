/** Reads files that flags name. */
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { CliError } from '../lib/cli-error.js'
import { readHead } from '../lib/read-head.js'
import { type Io, resolvePath } from '../output/io.js'

/** `flag`: such as `--key-file`. Throws CliError `usage`. */
export const readNamedFile = (flag: string, path: string, io: Io, hint?: string): Promise<Buffer> =>
  readFile(resolvePath(io, path)).catch((error) => {
    throw createReadError(flag, error, hint)
  })

export interface NamedInput {
  flag: string
  /** The content, such as `the links`. */
  what: string
  maxBytes: number
  hint?: string
}

/** Reads stdin for `-`. Returns null for an input of more than `maxBytes`. Throws CliError `usage`. */
export async function readNamedInput(
  path: string,
  { flag, what, maxBytes, hint }: NamedInput,
  io: Io,
): Promise<Buffer | null> {
  if (path === '-') return io.readStdin(what, maxBytes)
  const stream = createReadStream(resolvePath(io, path), { end: maxBytes })
  try {
    const { bytes } = await readHead(stream, maxBytes)
    return bytes.length > maxBytes ? null : bytes
  } catch (error) {
    throw createReadError(flag, error, hint)
  } finally {
    stream.destroy()
  }
}

const createReadError = (flag: string, error: unknown, hint?: string) =>
  new CliError('usage', `cannot read ${flag}: ${(error as NodeJS.ErrnoException).code}`, hint)
