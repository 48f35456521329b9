import { useEffect, useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
import type { Factors } from '#shared/api'
import { ApiError } from '#shared/client/client'
import { useDeferredState } from '../../../../lib/use-deferred-state.js'
import { createRecoveryCodes } from './factors-api.js'

/** Cards of the page, and the ids of their elements. Without factors, the introduction replaces the others. */
export type FactorSection = 'introduction' | 'passkeys' | 'authenticator' | 'recovery-codes'

interface Outcome {
  section: FactorSection
  /** Empty: none. */
  message: string
  /** Null: none. */
  error: unknown
}

export type FactorActions = ReturnType<typeof useFactorActions>

/** State that the cards of factors share: the result of the last action, the open dialog, and codes to show once. */
export function useFactorActions(factors: Factors) {
  const { revalidate } = useRevalidator()
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [dialog, setDialog] = useDeferredState<'passkey' | 'authenticator' | null>(null)
  const [codes, setCodes] = useState<{ of: FactorSection; codes: string[] } | null>(null)
  const focusOnChange = useFocusOnChange(factors)

  /** Shows that an action was done, and `newCodes`, if there are any. */
  function showDone(section: FactorSection, message: string, newCodes: string[] | null = null): void {
    setOutcome({ section, message, error: null })
    if (newCodes !== null) setCodes({ of: section, codes: newCodes })
    void revalidate()
  }
  return {
    dialog,
    codes: codes?.codes ?? null,
    open(which: typeof dialog) {
      setOutcome(null)
      setDialog(which)
    },
    close: () => setDialog(null),
    /** The button of the action that led to the codes may be gone, and the card of the first factor not shown yet. */
    closeCodes() {
      setCodes(null)
      if (codes && !focusHeading(codes.of)) focusOnChange(codes.of)
    },
    showDone,
    async remove(section: FactorSection, message: string, send: () => Promise<unknown>) {
      setOutcome(null)
      try {
        await send()
      } catch (error) {
        const isGone = error instanceof ApiError && error.code === 'access.not_found'
        if (!isGone) return setOutcome({ section, message: '', error })
      }
      focusOnChange(section)
      showDone(section, message)
    },
    async replaceCodes() {
      setOutcome(null)
      try {
        showDone('recovery-codes', '', (await createRecoveryCodes()).recoveryCodes)
      } catch (error) {
        setOutcome({ section: 'recovery-codes', message: '', error })
      }
    },
    outcomeOf: (section: FactorSection) =>
      section === 'introduction' || outcome?.section === section ? outcome : null,
  }
}

/** Returns a function: when `factors` change, the focus moves to the heading of that card. */
function useFocusOnChange(factors: Factors) {
  const next = useRef<FactorSection | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the factors change
  useEffect(() => {
    if (next.current && !focusHeading(next.current)) focusHeading('introduction')
    next.current = null
  }, [factors])
  return (section: FactorSection) => {
    next.current = section
  }
}

/** False: the card is not shown. */
function focusHeading(section: FactorSection): boolean {
  const heading = document.getElementById(section)?.querySelector('h2')
  heading?.focus()
  return heading instanceof HTMLElement
}
