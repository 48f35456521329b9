import { type FormEvent, Fragment, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SecretExists } from '#shared/api'
import { Icon } from '../../components/Icon.js'
import { Page } from '../../components/Page.js'
import { PasswordField } from '../../forms/PasswordField.js'
import { NOT_A_LOGIN } from '../../forms/PasswordInput.js'
import type { EarlierAttempt } from '../../lib/claimed-view.js'
import { formatTime, isolateLtr } from '../../lib/format.js'
import { formatDateTime, formatRelativeTime } from '../../lib/format-time.js'
import { language } from '../../lib/i18n.js'
import { useCountdown } from '../../lib/use-countdown.js'
import { CodeFields, useRecipientStep } from './CodeFields.js'
import { KeyField } from './KeyField.js'
import { RevealErrorNotice } from './RevealErrorNotice.js'
import type { Refusal, Reveal, Step } from './use-reveal.js'

interface Props {
  step: Extract<Step, { at: 'closed' }>
  open: Reveal['open']
  sendCode: Reveal['sendCode']
}

/** The page before the secret is revealed. Only its button uses a view. */
export function RevealForm({ step: { meta, isOpening, refusal, earlier }, open, sendCode }: Props) {
  const { t } = useTranslation('reveal')
  const form = useRef<HTMLFormElement>(null)
  const [key, setKey] = useState('')
  const [password, setPassword] = useState('')
  // The field stays when the key has been accepted.
  const [needsKey] = useState(meta === null)
  const left = useCountdown(refusal && 'error' in refusal ? refusal.error : null)
  const isReceived = refusal?.of === 'opening' && refusal.isReceived
  const isPublic = meta?.kind === 'public'
  const recipient = useRecipientStep(meta, earlier, sendCode)
  const { isAsking, code } = recipient
  const shownFields = `${meta?.passwordRequired} ${recipient.isRequired} ${recipient.sends}`
  useFocus(form, shownFields, refusal, recipient.error)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isAsking) void recipient.sendCode(key)
    else if (left === 0) void open({ key, password, code })
  }
  return (
    <Page
      heading={t(isPublic ? 'closed.public-heading' : 'closed.heading')}
      lede={refusal?.of === 'opening' && earlier ? undefined : lede()}
    >
      <form ref={form} className="card" noValidate onSubmit={submit}>
        {meta?.kind === 'sealed' && (
          <p className="sealed">
            <Icon name="lock" />
            {t('closed.sealed')}
          </p>
        )}
        {needsKey && (
          <KeyField value={key} problem={refusal?.of === 'key' ? refusal.problem : null} onChange={setKey} />
        )}
        {meta?.passwordRequired && (
          <SecretPassword value={password} refusal={refusal} earlier={earlier} onChange={setPassword} />
        )}
        {recipient.isRequired && <CodeFields step={recipient} refusal={refusal} typedKey={key} />}
        <RevealErrorNotice refusal={refusal} earlier={earlier} left={left} />
        <button
          type="submit"
          className="button primary large whole"
          aria-disabled={isOpening || recipient.isBusy || (left > 0 && !isAsking)}
        >
          {!isAsking && <Icon name="eye" />}
          {actionText()}
        </button>
        {meta?.maxViews === 1 && !isReceived && !earlier && <p className="hint centered">{t('open.once')}</p>}
      </form>
    </Page>
  )

  function actionText(): string {
    if (isAsking) return t('code.send')
    if (isOpening) return t('open.busy')
    return t(isReceived || (refusal?.of === 'opening' && earlier) ? 'common:retry' : 'open.action')
  }

  function lede(): ReactNode {
    if (isReceived || !meta) return t('closed.needs-key')
    if (earlier?.repeatableUntil) return t('closed.again', { time: formatTime(earlier.repeatableUntil, language) })
    return <Description meta={meta} />
  }
}

/**
 * The origin, limits and files of a secret. Each sentence is a block: a single block would be larger than the heading,
 * and the largest paint of the page would come later.
 */
function Description({ meta: { kind, maxViews, expiresAt, files } }: { meta: SecretExists }) {
  const { t } = useTranslation('reveal')
  const unlimited = t(kind === 'public' ? 'closed.public' : 'closed.kept')
  const values = {
    date: formatDateTime(expiresAt, language),
    relative: formatRelativeTime(expiresAt, Date.now(), language),
  }
  const sentences = [
    kind !== 'public' && t('closed.through', { host: isolateLtr(location.host) }),
    maxViews === null ? unlimited : t('closed.times', { count: maxViews }),
    t('closed.expires', values),
    files > 0 && t('closed.files', { count: files }),
  ]
  return sentences
    .filter((sentence) => sentence !== false)
    .map((sentence, index) => (
      <Fragment key={sentence}>
        {index > 0 && ' '}
        <span>{sentence}</span>
      </Fragment>
    ))
}

/** Moves the focus to the next field or button: on arrival, when fields appear, and after an error. */
function useFocus(
  form: RefObject<HTMLFormElement | null>,
  shownFields: string,
  refusal: Refusal | null,
  sendError: string | null,
) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the fields appear with `shownFields`
  useEffect(() => {
    if (refusal || sendError) {
      const field = form.current?.querySelector<HTMLInputElement>('[aria-invalid]')
      field?.focus()
      field?.select()
      return
    }
    const fields = form.current?.querySelectorAll<HTMLElement>('input, [type=submit]') ?? []
    const inputs = [...fields].filter((each) => each.matches('input'))
    ;(inputs.at(-1) ?? fields[0])?.focus({ preventScroll: true })
  }, [form, shownFields, refusal, sendError])
}

interface FieldProps {
  value: string
  refusal: Refusal | null
  onChange(value: string): void
}

function SecretPassword({ value, refusal, earlier, onChange }: FieldProps & { earlier: EarlierAttempt | null }) {
  const { t } = useTranslation('reveal')
  return (
    <PasswordField
      label={t('password.label')}
      hint={t('password.hint')}
      error={errorText()}
      {...NOT_A_LOGIN}
      // Browsers ignore `off` for passwords, and would fill in the password of the user's account.
      autoComplete="one-time-code"
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  )

  function errorText(): string | null {
    if (refusal?.of !== 'password') return null
    const { isMissing, attemptsLeft } = refusal
    if (isMissing) return t('password.missing')
    // Whether the secret was opened is not known.
    if (earlier) return t('password.wrong-again')
    return attemptsLeft === null ? t('password.wrong') : t('password.wrong-left', { count: attemptsLeft })
  }
}
