/** The calls about the instance itself. */
import * as api from '../../shared/api.js'
import { MAX_VIEWS, TTL_MIN } from '../../shared/limits.js'
import { call } from '../call.js'

/** What these calls need to know beside the services. */
export interface InstanceSettings {
  maxTextBytes: number
  ttlMaxAnonymous: number
  maxFileBytes: number
  maxFiles: number
  version: string
  /** Throws when a part that the instance needs does not answer. */
  ready(): Promise<void>
}

export function instanceCalls({ version, ready, ...settings }: InstanceSettings) {
  const { maxTextBytes, ttlMaxAnonymous, maxFileBytes, maxFiles } = settings
  return [
    call({
      method: 'GET',
      path: '/settings',
      summary: 'What a client needs to start',
      status: 200,
      answer: api.PublicSettings,
      async handle({ caller }, { settings, attachments }) {
        const { restrict_organization_email: _, ...switches } = await settings.current()
        const limits = {
          maxTextBytes,
          ttlMin: TTL_MIN,
          ttlMax: ttlMaxAnonymous,
          maxViews: MAX_VIEWS,
          maxFileBytes,
          maxFiles,
        }
        const uploads = await attachments.mayUpload(caller)
        return { ...switches, limits, uploads, address: caller.address, version }
      },
    }),
    call({
      method: 'GET',
      path: '/healthz',
      summary: 'The process is alive',
      status: 204,
      handle: async () => {},
    }),
    call({
      method: 'GET',
      path: '/readyz',
      summary: 'Storage and file store answer',
      status: 204,
      errors: ['storage.unavailable', 'file.unavailable'],
      handle: ready,
    }),
  ]
}
