import { useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useForm } from '../../forms/use-form.js'
import type { AuthenticationResponseJSON } from '../../lib/ask-for-passkey.js'
import { paths } from '../../lib/paths.js'
import { sessionStore } from '../../lib/session/session-store.js'
import { useRedirectError } from '../../lib/session/use-redirect-error.js'
import { useSettings } from '../../lib/settings.js'
import { loadPasskeyRequest, signIn, signInWithPasskey } from './auth-api.js'
import { passkeyPart } from './passkey-part.js'
import { returnPath } from './return-path.js'

export type SignInForm = ReturnType<typeof useSignInForm>

/** The passkey of the user; null: the user cancelled. */
type GetPasskey = () => Promise<AuthenticationResponseJSON | null>

/** Signs in with a password or a passkey, and goes on to the second step or the page that the user wanted. */
export function useSignInForm() {
  const { retry } = useSettings()
  const { search } = useLocation()
  const navigate = useNavigate()
  const [values, setValues] = useState({ username: '', password: '' })
  const [isSigningIn, setSigningIn] = useState(false)
  /** Set: the next submission sends a passkey instead of the values. */
  const getPasskey = useRef<GetPasskey | null>(null)
  const next = returnPath(search)
  const form = useForm<keyof typeof values>({
    invalid: [
      ...(values.username.trim() === '' ? (['username'] as const) : []),
      ...(values.password === '' ? (['password'] as const) : []),
    ],
    initialError: useRedirectError(),
    send: () => (getPasskey.current ? sendPasskey(getPasskey.current) : sendPassword()),
  })

  async function sendPassword(): Promise<void> {
    setSigningIn(true)
    try {
      const outcome = await signIn({ username: values.username.trim(), password: values.password })
      if ('secondFactor' in outcome) return await navigate(`${paths.secondStep}?${new URLSearchParams({ next })}`)
    } catch (error) {
      setSigningIn(false)
      form.ref.current?.querySelector<HTMLInputElement>('[name=password]')?.select()
      throw error
    }
    await goOn()
  }
  async function sendPasskey(get: GetPasskey): Promise<void> {
    getPasskey.current = null
    const passkey = await get()
    if (passkey === null) return
    setSigningIn(true)
    await signInWithPasskey(passkey).catch((error) => {
      setSigningIn(false)
      throw error
    })
    await goOn()
  }
  async function goOn(): Promise<void> {
    sessionStore.notify()
    // The settings depend on who is signed in.
    retry()
    await navigate(next, { replace: true })
  }
  function signInBy(get: GetPasskey): void {
    if (form.isSending) return
    getPasskey.current = get
    void form.sendNow()
  }
  const inputProps = (name: keyof typeof values) => form.inputProps(name, values, setValues)
  return {
    ...form,
    isSigningIn,
    inputProps,
    askForPasskey: () => signInBy(getNewPasskey),
    acceptPasskey: (passkey: AuthenticationResponseJSON) => signInBy(async () => passkey),
  }
}

async function getNewPasskey() {
  const { askForPasskey } = await passkeyPart.load()
  return askForPasskey(await loadPasskeyRequest())
}
