/** Opens an editor for the text of a new secret. */
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { access, constants, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CliError } from '../../lib/cli-error.js'
import { onExit } from '../../lib/signals.js'
import { type Io, temporaryFolder } from '../../output/io.js'

/**
 * Returns the saved text. The file is in its own folder with mode 0700, in memory where possible; the folder is removed
 * with all backup files of the editor. Throws CliError: `usage` without a terminal, `interrupted` when the editor
 * fails.
 */
export async function editText(io: Io): Promise<Buffer> {
  if (!io.canPrompt) throw new CliError('usage', '--edit needs a terminal', 'use: mayfly secret create < FILE')
  const folder = await mkdtemp(join(await findMemoryFolder(io), 'mayfly-'))
  onExit(io.cleanup, () => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'secret')
  try {
    await writeFile(path, '', { mode: 0o600 })
    const code = await runEditor(path, io)
    if (code !== 0) throw new CliError('interrupted', 'the editor failed', 'nothing was sent')
    return await readFile(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function findMemoryFolder(io: Io): Promise<string> {
  for (const folder of [io.env.XDG_RUNTIME_DIR, '/dev/shm']) {
    if (!folder) continue
    try {
      await access(folder, constants.W_OK | constants.X_OK)
      return folder
    } catch {}
  }
  return temporaryFolder(io)
}

/**
 * Runs the editor through a shell, because $EDITOR may have arguments. It draws on stderr, because stdout may be a
 * pipe.
 */
function runEditor(path: string, { env, cwd }: Io): Promise<number | null> {
  const editor = env.VISUAL || env.EDITOR || 'vi'
  const child = spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', path], { stdio: ['inherit', 2, 2], env, cwd })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', resolve)
  })
}
