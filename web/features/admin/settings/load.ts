import { readSettings } from '../admin-api.js'
import { guarded } from '../load-or-error.js'

export const instanceSettings = guarded(readSettings)
