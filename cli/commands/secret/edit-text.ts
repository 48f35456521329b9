/** A text written in the editor of the person at the terminal. */
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { access, constants, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CliError } from '../../lib/cli-error.js'
import { onExit } from '../../lib/signals.js'
import { type Io, temporaryFolder } from '../../output/io.js'

/**
 * All that was saved. It is in a folder of its own, for its owner only and in memory where the system has such a place, and
 * goes with whatever the editor left beside it. Throws CliError: `usage` without a terminal, `interrupted` when the editor
 * ends with an error.
 */
export async function editText(io: Io): Promise<Buffer> {
  if (!io.canPrompt) throw new CliError('usage', 'there is no terminal for an editor', 'mayfly secret create < FILE')
  const folder = await mkdtemp(join(await findMemoryFolder(io), 'mayfly-'))
  onExit(io.cleanup, () => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'secret')
  try {
    await writeFile(path, '', { mode: 0o600 })
    const code = await runEditor(path, io)
    if (code !== 0) throw new CliError('interrupted', 'the editor ended with an error', 'nothing was sent')
    return await readFile(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function findMemoryFolder(io: Io): Promise<string> {
  for (const place of [io.env.XDG_RUNTIME_DIR, '/dev/shm']) {
    if (!place) continue
    try {
      await access(place, constants.W_OK | constants.X_OK)
      return place
    } catch {}
  }
  return temporaryFolder(io)
}

/** Through the shell, as it may have arguments. stdout may be a pipe, so it draws where people look: on stderr. */
function runEditor(path: string, { env, cwd }: Io): Promise<number | null> {
  const editor = env.VISUAL || env.EDITOR || 'vi'
  const child = spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', path], { stdio: ['inherit', 2, 2], env, cwd })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', resolve)
  })
}
