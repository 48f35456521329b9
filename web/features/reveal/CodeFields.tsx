/** The two steps of a named recipient: the address that gets a code, then the code. */
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SecretExists } from '#shared/api'
import { ApiError } from '#shared/client/client'
import { RECIPIENT_CODE_LENGTH } from '#shared/limits'
import { LinkError } from '#shared/link'
import { isEmailAddress } from '#shared/recipient-list'
import { CodeField } from '../../forms/InputField.js'
import type { EarlierAttempt } from '../../lib/claimed-view.js'
import { errorMessage } from '../../lib/error-message.js'
import type { Refusal, Reveal } from './use-reveal.js'

/** Before another code can be asked for. A message takes a moment. */
const PAUSE_MS = 30_000

export type RecipientStep = ReturnType<typeof useRecipientStep>

export function useRecipientStep(meta: SecretExists | null, earlier: EarlierAttempt | null, send: Reveal['sendCode']) {
  const { t } = useTranslation('reveal')
  const [email, setEmail] = useState('')
  const [code, setCode] = useState('')
  const [sends, setSends] = useState(0)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)

  async function sendCode(key: string): Promise<void> {
    if (isBusy) return
    if (!isEmailAddress(email.trim())) return setError(t('code.email-wrong'))
    setBusy(true)
    setError(null)
    try {
      await send(email.trim(), key)
      setCode('')
      setSends((before) => before + 1)
    } catch (cause) {
      setError(explain(cause))
    }
    setBusy(false)
  }

  function explain(cause: unknown): string {
    if (cause instanceof LinkError) return t(`key.${cause.problem}`)
    if (cause instanceof ApiError && cause.code === 'request.invalid') return t('code.email-wrong')
    return errorMessage(cause)
  }

  const isRequired = meta?.codeRequired === true
  return {
    email,
    setEmail,
    code,
    setCode,
    sends,
    isBusy,
    error,
    sendCode,
    isRequired,
    /** The next step is to ask for a code. Not after an attempt whose claim may be enough. */
    isAsking: isRequired && sends === 0 && !earlier,
  }
}

interface Props {
  step: RecipientStep
  refusal: Refusal | null
  typedKey: string
}

export function CodeFields({ step, refusal, typedKey }: Props) {
  const { t } = useTranslation('reveal')
  const { email, setEmail, code, setCode, sends, error, sendCode } = step
  const isPaused = usePause(sends)
  return (
    <>
      <CodeField
        label={t('code.email')}
        hint={t('code.email-hint')}
        error={error}
        type="email"
        autoComplete="email"
        value={email}
        onChange={({ target }) => setEmail(target.value)}
      />
      <p role="status" className="hint">
        {sends > 0 && t('code.sent')}
      </p>
      {!step.isAsking && (
        <>
          <button
            type="button"
            className="button"
            aria-disabled={isPaused || step.isBusy}
            onClick={() => {
              if (!isPaused) void sendCode(typedKey)
            }}
          >
            {t(sends > 0 ? 'code.again' : 'code.send')}
          </button>
          <CodeField
            label={t('code.label')}
            error={codeError()}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={2 * RECIPIENT_CODE_LENGTH}
            value={code}
            onChange={({ target }) => setCode(target.value.replace(/\D/g, ''))}
          />
        </>
      )}
    </>
  )

  function codeError(): string | null {
    if (refusal?.of !== 'code') return null
    return t(refusal.isMissing ? 'common:errors.secret.code_required' : 'common:errors.secret.code_wrong')
  }
}

/** True for a while after each message. */
function usePause(sends: number): boolean {
  const [ended, setEnded] = useState(0)
  useEffect(() => {
    if (sends === 0) return
    const timer = setTimeout(() => setEnded(sends), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [sends])
  return ended < sends
}
