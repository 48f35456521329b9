import { expect, test } from 'vitest'
import { anonymous } from '../contracts/auth-context.js'
import type { CurrentSettings } from './create-settings.js'
import { resolvePolicy } from './resolve-policy.js'

test('a policy from before the configuration became stricter allows no more than the configuration', () => {
  const visitors = { lifetimes: [{ min: 60, max: 7200 }], maxFileBytes: 1000 }
  const settings = { requiresVerifiedEmail: false, providers: [], policies: { visitors } } as unknown as CurrentSettings
  const config = { ttlMaxAnonymous: 3600, ttlMaxUser: 7200, maxFileBytes: 100 }
  expect(resolvePolicy(anonymous(null), settings, config)).toMatchObject({
    lifetimes: { value: [{ min: 60, max: 3600 }] },
    maxFileBytes: { value: 100 },
  })
})
