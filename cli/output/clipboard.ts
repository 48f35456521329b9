/** Copies text to the clipboard with the first available program, else with a terminal escape sequence (OSC 52). */
import { spawn } from 'node:child_process'
import type { Io } from './io.js'

/** The text is written to stdin, because arguments are visible in `ps`. */
const PROGRAMS: { needs?: string; command: [string, ...string[]] }[] = [
  { needs: 'WAYLAND_DISPLAY', command: ['wl-copy'] },
  { needs: 'DISPLAY', command: ['xclip', '-selection', 'clipboard'] },
  { needs: 'DISPLAY', command: ['xsel', '--clipboard', '--input'] },
  { command: ['pbcopy'] },
  { command: ['clip.exe'] },
]

/**
 * `requested`: the terminal was asked to copy, which many terminals ignore. `failed`: no clipboard program and no
 * terminal.
 */
export type CopyResult = 'copied' | 'requested' | 'failed'

export async function copyToClipboard(text: string, io: Io): Promise<CopyResult> {
  for (const { needs, command } of PROGRAMS) {
    if (needs !== undefined && !io.env[needs]) continue
    if (await pipeToProgram(command, text, io)) return 'copied'
  }
  if (!io.isTty.stderr) return 'failed'
  // OSC 52 also works through ssh.
  io.writeErr(`\x1b]52;c;${Buffer.from(text).toString('base64')}\x07`)
  return 'requested'
}

/** Returns true when the program exists and exits with 0. */
function pipeToProgram([program, ...args]: [string, ...string[]], text: string, { env, cwd }: Io): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ['pipe', 'ignore', 'ignore'], env, cwd })
    child.once('error', () => resolve(false))
    // `close` would wait for the child that serves the clipboard.
    child.once('exit', (code) => resolve(code === 0))
    child.stdin.on('error', () => {})
    child.stdin.end(text)
  })
}
