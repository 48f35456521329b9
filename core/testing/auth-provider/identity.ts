import { expect } from 'vitest'
import type { Identity } from '../../contracts/auth-provider.js'
import { Email } from '../../shared/api/index.js'

/** Checks an identity as core does. */
export function expectIdentity(identity: Identity | null): Identity {
  expect(identity).toMatchObject({ subject: expect.any(String), username: expect.any(String) })
  const { subject, email, role = 'user' } = identity as Identity
  expect(subject.length).toBeGreaterThan(0)
  expect(subject.length).toBeLessThanOrEqual(255)
  expect(Email.safeParse(email).success).toBe(true)
  expect(['user', 'admin']).toContain(role)
  return identity as Identity
}

/** Values that an attacker may send. */
export const HOSTILE = [
  '',
  ' ',
  '\0',
  "' OR 1=1 --",
  '*',
  '*)(uid=*',
  '☃'.repeat(1000),
  'x'.repeat(100_000),
  '\ud800',
  '../..',
]
