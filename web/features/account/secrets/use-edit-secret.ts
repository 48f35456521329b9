import { useState } from 'react'
import type { LowerLimits, OwnSecret } from '#shared/api'
import { useFormDialog } from '../../../forms/use-form-dialog.js'
import { api } from '../../../lib/api.js'
import { storeLabel } from '../../../lib/secret-labels.js'

const MINUTE_S = 60
const HOUR_S = 60 * MINUTE_S
const DAY_S = 24 * HOUR_S
const LIFETIMES_S = [5 * MINUTE_S, HOUR_S, 4 * HOUR_S, 12 * HOUR_S, DAY_S, 3 * DAY_S, 7 * DAY_S, 14 * DAY_S]

interface Values {
  label: string
  maxViews: string
  /** Seconds from now; empty: unchanged. */
  ttl: string
  allowedIp: string
}

export type EditSecretState = ReturnType<typeof useEditSecret>

export function useEditSecret(secret: OwnSecret, label: string, onChanged: () => void) {
  const initial = { label, maxViews: String(secret.maxViews ?? ''), ttl: '', allowedIp: secret.allowedIp ?? '' }
  const [values, setValues] = useState<Values>(initial)
  const [openedAt] = useState(Date.now)
  const form = useFormDialog<'maxViews' | 'ttl' | 'allowedIp'>({
    invalid: isViewCount(values.maxViews, secret.maxViews) ? [] : ['maxViews'],
    serverFields: ['maxViews', 'ttl', 'allowedIp'],
    async send() {
      const body = toBody(initial, values)
      const { expiresAt } = Object.keys(body).length === 0 ? secret : await api.lowerLimits(secret.id, body)
      storeLabel(secret.id, { label: values.label.trim(), expiresAt }, Date.now())
      onChanged()
    },
  })
  return {
    form,
    values,
    /** Shorter than the time that is left, in seconds. */
    lifetimes: LIFETIMES_S.filter((seconds) => openedAt + seconds * 1000 < secret.expiresAt),
    change: (changed: Partial<Values>) => setValues({ ...values, ...changed }),
  }
}

const isViewCount = (text: string, max: number | null): boolean =>
  max === null || (/^[1-9]\d{0,8}$/.test(text) && Number(text) <= max)

/** Only the changed fields. */
function toBody(initial: Values, { maxViews, ttl, allowedIp }: Values): LowerLimits {
  const range = allowedIp.trim()
  return {
    ...(maxViews !== initial.maxViews && { maxViews: Number(maxViews) }),
    ...(ttl !== '' && { ttl: Number(ttl) }),
    ...(range !== initial.allowedIp && range !== '' && { allowedIp: range }),
  }
}
