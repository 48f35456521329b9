/** Opens a page in the browser of the user. */
import { spawn } from 'node:child_process'
import type { Io } from './io.js'

const PROGRAMS: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
  darwin: ['open'],
  // Without a shell, which would read the address as a command.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/**
 * Starts the browser, and does not wait for it. Does nothing without a terminal, in a session over SSH, and on Linux
 * without a display. A missing program is not an error: the user has the address.
 */
export function openInBrowser(url: string, io: Io): void {
  const { env, cwd } = io
  const isLocal = io.canPrompt && !env.SSH_CONNECTION
  const [program, ...args] = PROGRAMS[process.platform] ?? ['xdg-open']
  if (!isLocal || (program === 'xdg-open' && !env.DISPLAY && !env.WAYLAND_DISPLAY)) return
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true, env, cwd })
  child.once('error', () => {})
  child.unref()
}
