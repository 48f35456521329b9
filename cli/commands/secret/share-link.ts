/** Shows a new link as a QR code, copies it, or masks it in a CI log. */

import { CliError } from '../../lib/cli-error.js'
import type { Io } from '../../output/io.js'
import { checkMask, printMasks } from '../../output/mask.js'

export interface ShareFlags {
  qr?: true
  copy?: true
  mask?: string
}

/** Call it before the secret is created. Throws CliError `usage`. */
export function checkShareFlags(flags: ShareFlags, io: Io): void {
  checkMask(flags.mask, io)
  if (flags.qr && !io.canDraw) {
    throw new CliError('usage', '--qr needs a terminal on stderr', 'leave it out in a script')
  }
}

/** `secrets`: values to mask. */
export async function shareLink(link: string, secrets: string[], flags: ShareFlags, io: Io): Promise<void> {
  printMasks(flags.mask, secrets, io)
  if (flags.qr) io.writeErr(await renderQrCode(link))
  if (!flags.copy) return
  const { copyToClipboard } = await import('../../output/clipboard.js')
  const result = await copyToClipboard(link, io)
  if (result === 'copied') io.note('copied')
  if (result === 'requested') io.note('asked the terminal to copy; if it did not, install wl-copy, xclip or xsel')
  if (result === 'failed') io.warn('not copied: install wl-copy, xclip or xsel, or run it on a terminal')
}

/** Draws black on white, independent of the terminal's colors, so that cameras can read it. */
async function renderQrCode(link: string): Promise<string> {
  const { renderUnicodeCompact } = await import('uqr')
  const rows = renderUnicodeCompact(link, { border: 2 }).split('\n')
  return `${rows.map((row) => `\x1b[97;40m${row}\x1b[0m`).join('\n')}\n`
}
