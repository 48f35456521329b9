/** Files on a disk of this machine, or on one that is mounted like one. */
import { resolve } from 'node:path'
import { definePlugin, wholeNumber, z } from '#core'
import { openFolder } from './folder.js'
import { localFiles } from './store.js'

export default definePlugin({
  name: 'local-files',
  options: z.object({
    folder: z.string().min(1).default('files').describe('where the files are kept; a relative path is inside dataDir'),
    minFreeBytes: z
      .preprocess((value) => (value === '' ? undefined : value), wholeNumber(0, 2 ** 50).optional())
      .describe('uploads are refused when less is free; empty: 1 GiB, or 5 % of the disk if that is more'),
  }),
  async setup({ folder, minFreeBytes }, { dataDir, log }) {
    return { files: localFiles(await openFolder(resolve(dataDir, folder)), { minFreeBytes, log }) }
  },
})
