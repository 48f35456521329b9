/** Copies a text, by the first program that there is for the clipboard, else by asking the terminal to. */
import { spawn } from 'node:child_process'
import type { Io } from './io.js'

/** The text goes to their stdin: arguments can be seen in ps. */
const PROGRAMS: { needs?: string; command: [string, ...string[]] }[] = [
  { needs: 'WAYLAND_DISPLAY', command: ['wl-copy'] },
  { needs: 'DISPLAY', command: ['xclip', '-selection', 'clipboard'] },
  { needs: 'DISPLAY', command: ['xsel', '--clipboard', '--input'] },
  { command: ['pbcopy'] },
  { command: ['clip.exe'] },
]

/** False when there is neither a program nor a terminal that takes it. */
export async function copyToClipboard(text: string, io: Io): Promise<boolean> {
  for (const { needs, command } of PROGRAMS) {
    if (needs !== undefined && !io.env[needs]) continue
    if (await pipeToProgram(command, text, io)) return true
  }
  if (!io.isTty.stderr) return false
  // OSC 52, which terminals know also on the far side of an ssh connection.
  io.writeErr(`\x1b]52;c;${Buffer.from(text).toString('base64')}\x07`)
  return true
}

/** True when the program is there and took it. */
function pipeToProgram([program, ...args]: [string, ...string[]], text: string, { env, cwd }: Io): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ['pipe', 'ignore', 'ignore'], env, cwd })
    child.once('error', () => resolve(false))
    // Not `close`: what serves the clipboard stays behind.
    child.once('exit', (code) => resolve(code === 0))
    child.stdin.on('error', () => {})
    child.stdin.end(text)
  })
}
