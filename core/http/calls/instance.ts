/** The calls about the instance itself. */
import * as api from '../../shared/api.js'
import { MAX_VIEWS, TTL_MIN } from '../../shared/limits.js'
import { call } from '../call.js'

/** What these calls need to know beside the services. */
export interface InstanceSettings {
  maxTextBytes: number
  ttlMaxAnonymous: number
  ttlMaxUser: number
  passwordMin: number
  passwordMax: number
  maxFileBytes: number
  maxFiles: number
  version: string
  /** Throws when a part that the instance needs does not answer. */
  ready(): Promise<void>
}

export function instanceCalls({ version, ready, ...settings }: InstanceSettings) {
  const { ttlMaxAnonymous, ttlMaxUser, maxTextBytes, maxFileBytes, maxFiles, passwordMin, passwordMax } = settings
  return [
    call({
      method: 'GET',
      path: '/settings',
      summary: 'What a client needs to start',
      status: 200,
      answer: api.PublicSettings,
      async handle({ caller }, { settings, attachments, accounts, setupCode }) {
        const ttlMax = caller.userId === null ? ttlMaxAnonymous : ttlMaxUser
        const current = await settings.current()
        const shared = { ttlMin: TTL_MIN, ttlMax, maxViews: MAX_VIEWS, passwordMin, passwordMax }
        return {
          // The schema lets the four switches through, and no more of it.
          ...current,
          limits: { maxTextBytes, maxFileBytes, maxFiles, ...shared },
          uploads: await attachments.canUpload(caller),
          signUp: await accounts.canSignUp(),
          organizationEmail: current.restrict_organization_email !== '',
          setUp: await setupCode.isNeeded(),
          providers: accounts.listSignInMethods(),
          address: caller.address,
          version,
        }
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
