import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder `web`. */
export const WEB = fileURLToPath(new URL('..', import.meta.url))
export const OUT_DIR = join(WEB, '../dist/web')
