/** Apart from the other commands of its group, because the single file of the client has no code of the server. */
import type { ManFlags } from '../../reference/write-man-pages.js'
import { command } from '../command.js'

export const man = command<ManFlags>({
  name: 'man',
  summary: 'print a man page, or write all of them to a folder',
  argument: ['[command...]', 'command (default: the program itself)'],
  options: [['--dir <folder>', 'write all man pages to this folder and print their paths']],
  examples: [
    ['read a page', 'mayfly man secret create | man -l -'],
    ['install all pages, for `man mayfly-secret-create`', 'mayfly man --dir ~/.local/share/man/man1'],
  ],
  async run({ io, flags, args, catalog }) {
    const { writeManPages } = await import('../../reference/write-man-pages.js')
    await writeManPages(args, flags, io, catalog)
  },
})
