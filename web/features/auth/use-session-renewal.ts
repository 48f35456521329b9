import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { ApiError } from '#shared/client/client'
import { SESSION_ENDED_PATH } from '../../lib/session/session-ended.js'
import { sessionStore, useSession } from '../../lib/session/session-store.js'
import { refreshSession } from './auth-api.js'
import { createSnooze, isReminderDue, type Snooze } from './session-reminder.js'
import { readSnooze, storeSnooze } from './snooze-storage.js'

const CHECK_MS = 60_000
/** Of the lock and the broadcast channel: one tab asks, and the others get the answer. */
const NAME = 'mayfly-session'

/** State of the reminder before the session ends. */
export function useSessionRenewal() {
  const login = useSession()
  const navigate = useNavigate()
  const [now, setNow] = useState(Date.now)
  const [snooze, setSnooze] = useState(() => readSnooze(Date.now()))
  const [status, setStatus] = useState<'idle' | 'busy' | 'failed' | 'updated'>('idle')
  const channel = useRef<BroadcastChannel | null>(null)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), CHECK_MS)
    channel.current = new BroadcastChannel(NAME)
    channel.current.onmessage = ({ data }: MessageEvent<Snooze | null>) => {
      if (data) setSnooze(data)
      else sessionStore.notify()
    }
    return () => {
      clearInterval(timer)
      channel.current?.close()
    }
  }, [])
  const endsAt = login?.endsAt ?? 0
  const isAsking = useTabLock(isReminderDue(endsAt, snooze, now))

  function cancel(): void {
    const answer = createSnooze(endsAt, Date.now())
    setSnooze(answer)
    storeSnooze(answer)
    setStatus('idle')
    channel.current?.postMessage(answer)
  }

  async function update(): Promise<void> {
    setStatus('busy')
    try {
      await refreshSession()
      setStatus('updated')
      storeSnooze(null)
      sessionStore.notify()
      channel.current?.postMessage(null)
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) {
        await navigate(SESSION_ENDED_PATH)
      } else setStatus('failed')
    }
  }
  return { endsAt, isAsking, status, cancel, update, close: () => setStatus('idle') }
}

/** True in one of the tabs that are about to ask. Without Web Locks, as on plain HTTP, it is true in all of them. */
function useTabLock(isWanted: boolean): boolean {
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    if (!isWanted) return
    if (!navigator.locks) return setHeld(true)
    const controller = new AbortController()
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const hold = () => {
      setHeld(true)
      return held
    }
    // Without a lock it is better to ask in several tabs than in none.
    const ask = () => controller.signal.aborted || setHeld(true)
    navigator.locks.request(NAME, { signal: controller.signal }, hold).catch(ask)
    return () => {
      controller.abort()
      release()
      setHeld(false)
    }
  }, [isWanted])
  return isWanted && isHeld
}
