import { useTranslation } from 'react-i18next'
import { useLoaderData } from 'react-router'
import type { PendingDeviceLogin } from '#shared/api'
import { ApiError } from '#shared/client/client'
import { Page } from '../../components/Page.js'
import { requireSession } from '../../lib/session/require-session.js'
import { DeviceCodeForm } from './DeviceCodeForm.js'
import { DeviceDecision } from './DeviceDecision.js'
import { loadDeviceLogin } from './device-api.js'
import { parseUserCode } from './user-code.js'

/** `typed`: the code in the address. `login`: null without a code of a sign-in that waits. */
interface Loaded {
  typed: string
  code: string | null
  login: PendingDeviceLogin | null
  error: unknown
}

export const loader = requireSession(async ({ request }): Promise<Loaded> => {
  const typed = new URL(request.url).searchParams.get('code') ?? ''
  const code = parseUserCode(typed)
  if (code === null) return { typed, code, login: null, error: null }
  try {
    return { typed, code, login: await loadDeviceLogin(code), error: null }
  } catch (error) {
    // It has expired, or someone decided already.
    if (error instanceof ApiError && error.code === 'auth.device_expired') return { typed, code, login: null, error }
    throw error
  }
})

/** Lets the user approve or deny the sign-in of a program. The program shows the link to this page, and a code. */
export default function DevicePage() {
  const { t } = useTranslation('device')
  const { typed, code, login, error } = useLoaderData<Loaded>()
  if (code !== null && login !== null) return <DeviceDecision key={code} code={code} login={login} />
  return (
    <Page heading={t('heading')} lede={t('lede')} hasError={error !== null}>
      <DeviceCodeForm key={typed} typed={typed} error={error} />
    </Page>
  )
}
