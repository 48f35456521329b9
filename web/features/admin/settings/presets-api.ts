/** API requests about presets, in the chunk of their form. */
import type { UpdatePresets } from '#shared/api'
import { Presets } from '#shared/response-schemas/presets-responses'
import { requestJson } from '../../../lib/account-request.js'

export const loadPresets = () => requestJson({ response: Presets, method: 'GET', path: '/admin/presets' })
export const savePresets = (body: UpdatePresets) =>
  requestJson({ response: Presets, method: 'PUT', path: '/admin/presets', body })
