import { readSettings } from '../admin/calls.js'
import { guarded } from '../admin/guarded.js'

export const instanceSettings = guarded(readSettings)
