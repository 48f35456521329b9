import { useEffect, useState } from 'react'
import type { AuthenticationResponseJSON } from '../../lib/ask-for-passkey.js'
import { loadPasskeyRequest } from './auth-api.js'
import { hasPasskeys, passkeyPart } from './passkey-part.js'

/** A challenge is valid for five minutes. */
const RENEW_MS = 4 * 60_000

/**
 * While `isWaiting`, lists passkeys at the field for the username, if the browser can do that. There is no error: the
 * user can sign in otherwise. Uses `onChosen` of the first render.
 */
export function usePasskeyOffer(isWaiting: boolean, onChosen: (passkey: AuthenticationResponseJSON) => void): void {
  const [round, setRound] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `onChosen` changes nothing, a new round does
  useEffect(() => {
    if (!isWaiting || !hasPasskeys()) return
    const offer = new AbortController()
    let isOld = false
    // A hidden tab sends no requests. It renews the challenge when the user comes back.
    const renew = () => isOld && !document.hidden && setRound(round + 1)
    const timer = setTimeout(() => {
      isOld = true
      renew()
    }, RENEW_MS)
    document.addEventListener('visibilitychange', renew)
    waitForPasskey(offer.signal).then(
      (passkey) => passkey && !offer.signal.aborted && onChosen(passkey),
      () => {},
    )
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', renew)
      offer.abort()
      passkeyPart.current()?.stopAsking()
    }
  }, [isWaiting, round])
}

async function waitForPasskey(signal: AbortSignal): Promise<AuthenticationResponseJSON | null> {
  const { canOfferPasskeys, offerPasskeys } = await passkeyPart.load()
  if (signal.aborted || !(await canOfferPasskeys())) return null
  const request = await loadPasskeyRequest()
  return signal.aborted ? null : offerPasskeys(request)
}
