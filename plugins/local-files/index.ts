/** File store on a local or mounted disk. */
import { resolve } from 'node:path'
import { bytes, definePlugin, z } from '#core'
import { openBlobFolder } from './blob-folder.js'
import { createLocalFileStore } from './local-file-store.js'

export default definePlugin({
  contract: 1,
  name: 'local-files',
  options: z.object({
    folder: z.string().min(1).default('files').describe('folder of the files; a relative path is inside dataDir'),
    minFreeBytes: z
      .preprocess((value) => (value === '' ? undefined : value), bytes(0, 2 ** 50).optional())
      .describe('uploads are refused when less disk space is free; empty: the larger of 1 GiB and 5 % of the disk'),
  }),
  async setup({ folder, minFreeBytes }, { dataDir, log }) {
    const blobFolder = await openBlobFolder(resolve(dataDir, folder))
    return { files: createLocalFileStore({ folder: blobFolder, minFreeBytes, log }) }
  },
})
