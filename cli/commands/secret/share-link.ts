/** What else becomes of a new link: drawn, copied, hidden from a log. */

import { CliError } from '../../lib/cli-error.js'
import { copyToClipboard } from '../../output/clipboard.js'
import type { Io } from '../../output/io.js'
import { checkMask, printMasks } from '../../output/mask.js'

export interface ShareFlags {
  qr?: true
  copy?: true
  mask?: string
}

/** Throws CliError `usage` before anything is made. */
export function checkShareFlags(flags: ShareFlags, io: Io): void {
  checkMask(flags.mask, io)
  if (flags.qr && !io.canDraw) {
    throw new CliError('usage', '--qr needs a terminal on stderr to draw on', 'leave it out in a script')
  }
}

/** `link`: what is drawn and copied. `secrets`: what a log must not show. */
export async function shareLink(link: string, secrets: string[], flags: ShareFlags, io: Io): Promise<void> {
  printMasks(flags.mask, secrets, io)
  if (flags.qr) io.writeErr(await renderQrCode(link))
  if (!flags.copy) return
  if (await copyToClipboard(link, io)) io.note('copied')
  else io.warn('not copied: there is no wl-copy, xclip, xsel, pbcopy or clip.exe, and no terminal')
}

/** Black on white whatever the colours of the terminal are, as cameras want it. */
async function renderQrCode(link: string): Promise<string> {
  const { renderUnicodeCompact } = await import('uqr')
  const rows = renderUnicodeCompact(link, { border: 2 }).split('\n')
  return `${rows.map((row) => `\x1b[97;40m${row}\x1b[0m`).join('\n')}\n`
}
