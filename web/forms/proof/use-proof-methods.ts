import { useEffect, useRef, useState } from 'react'
import type { PasskeyRequest } from '#shared/api'
import { ApiError } from '#shared/client/client'
import { loadPart } from '../../lib/lazy-part.js'
import { isComplete, isTyped, type Proof, type ProofMethod, type TypedMethod, toProof } from './proof-method.js'

interface Options {
  /** Methods that the server accepts, the preferred one first. */
  methods: readonly ProofMethod[]
  /** Requests a new challenge: each is accepted once. */
  loadPasskeyRequest(): Promise<PasskeyRequest | null>
  send(proof: Proof): Promise<unknown>
}

export type ProofMethods = ReturnType<typeof useProofMethods>

const loadPasskeys = () => loadPart(() => import('../../lib/ask-for-passkey.js'))

/** Errors that belong to the typed value. */
const FIELD_ERRORS = new Set(['auth.code_wrong', 'auth.password_wrong'])

/** The choice of a method, and the value that is typed. `formOptions`: for `useForm`. */
export function useProofMethods({ methods, loadPasskeyRequest, send }: Options) {
  const hasPasskey = methods.includes('passkey') && typeof PublicKeyCredential === 'function'
  const typedMethods = methods.filter(isTyped)
  const [typed, setTyped] = useState(() => firstTyped(typedMethods, hasPasskey))
  const [value, setValue] = useState('')
  const isPasskeyChosen = useRef(false)
  useEffect(() => {
    // Before the click: some browsers ask for a passkey only shortly after one.
    if (hasPasskey) loadPasskeys().catch(() => {})
  }, [hasPasskey])

  async function sendPasskey(): Promise<unknown> {
    const { askForPasskey } = await loadPasskeys()
    const request = await loadPasskeyRequest()
    const passkey = request && (await askForPasskey(request))
    return passkey === null ? false : send({ passkey })
  }
  /** Resolves to false when the user cancels. */
  async function sendChosen(): Promise<unknown> {
    const isPasskey = isPasskeyChosen.current || typed === null
    isPasskeyChosen.current = false
    if (isPasskey || typed === null) return sendPasskey()
    try {
      return await send(toProof(typed, value))
    } catch (error) {
      throw error instanceof ApiError && FIELD_ERRORS.has(error.code)
        ? new ApiError({ ...error.body, field: typed })
        : error
    }
  }
  return {
    /** The method whose field is shown; null: the form asks for a passkey. */
    typed,
    value,
    setValue,
    hasPasskey,
    /** Whether any of the methods works in this browser. */
    isPossible: hasPasskey || typedMethods.length > 0,
    otherMethods: typedMethods.filter((method) => method !== typed),
    choose(method: TypedMethod): void {
      setTyped(method)
      setValue('')
    },
    /** The next submission asks for a passkey instead of the typed value. */
    choosePasskey(): void {
      isPasskeyChosen.current = true
    },
    formOptions: {
      invalid: typed !== null && !isComplete(typed, value) ? [typed] : [],
      serverFields: typedMethods,
      send: sendChosen,
    },
  }
}

/** A recovery code is for emergencies: a passkey is offered first. */
function firstTyped(methods: TypedMethod[], hasPasskey: boolean): TypedMethod | null {
  const first = methods.find((method) => method !== 'recovery-code')
  return first ?? (hasPasskey ? null : (methods[0] ?? null))
}
