import type { ManFlags } from '../../reference/write-man-pages.js'
import { command } from '../command.js'

export const man = command<ManFlags>({
  name: 'man',
  summary: 'print a man page, or write all of them',
  argument: ['[command...]', 'the command that it is of; the program itself without one'],
  options: [['--dir <folder>', 'write the pages of all commands there, and print their paths']],
  examples: [
    ['read it', 'mayfly man secret create | man -l -'],
    ['for `man mayfly-secret-create`', 'mayfly man --dir ~/.local/share/man/man1'],
  ],
  async run({ io, flags, args, catalog }) {
    const { writeManPages } = await import('../../reference/write-man-pages.js')
    await writeManPages(args, flags, io, catalog)
  },
})
