import { useState } from 'react'
import type { CreatedToken, CreateToken } from '#shared/api'
import { useForm } from '../../../../forms/use-form.js'
import { useSettings } from '../../../../lib/settings.js'
import { createToken } from '../../account-api.js'
import { allowedLifetimes } from './token-lifetimes.js'
import { invalidLimits, NO_LIMITS, parseLimits, type TokenLimit } from './token-limits.js'
import { isCreateOnly, type Scope } from './token-scopes.js'

export const DAY_MS = 86_400_000

/** The scopes that most programs need. */
const DEFAULT_SCOPES: Scope[] = ['secrets:create', 'secrets:read']

const DEFAULTS = { name: '', days: 365, scopes: DEFAULT_SCOPES, allowedIp: '', limits: NO_LIMITS }

type Values = typeof DEFAULTS

export type NewTokenFormState = ReturnType<typeof useNewTokenForm>

export function useNewTokenForm(onCreate: (token: CreatedToken) => void) {
  const lifetimes = allowedLifetimes(useSettings().settings)
  const [values, setValues] = useState({ ...DEFAULTS, days: Math.max(...lifetimes) })
  const form = useForm<'name' | 'scope' | 'allowedIp' | TokenLimit>({
    invalid: [
      ...(values.name.trim() === '' ? (['name'] as const) : []),
      ...(values.scopes.length === 0 ? (['scope'] as const) : []),
      ...(isCreateOnly(values.scopes) ? invalidLimits(values.limits) : []),
    ],
    send: async () => onCreate(await createToken(toRequest(values))),
  })
  return { ...form, values, lifetimes, change: (changes: Partial<Values>) => setValues({ ...values, ...changes }) }
}

function toRequest({ name, days, scopes, allowedIp, limits }: Values): CreateToken {
  return {
    name: name.trim(),
    scopes,
    expiresAt: Date.now() + days * DAY_MS,
    ...(allowedIp.trim() !== '' && { allowedIp: allowedIp.trim() }),
    ...(isCreateOnly(scopes) && parseLimits(limits)),
  }
}
