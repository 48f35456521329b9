import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SecretExists } from '#shared/api'
import { Icon } from '../../components/Icon.js'
import { Page } from '../../components/Page.js'
import { Field } from '../../forms/Field.js'
import { PasswordInput } from '../../forms/PasswordInput.js'
import { formatDateTime, formatNumber, formatRelativeTime } from '../../lib/format.js'
import { language } from '../../lib/i18n.js'
import { useCountdown } from '../../lib/use-countdown.js'
import { RevealErrorNotice } from './RevealErrorNotice.js'
import type { Refusal, Reveal, Step } from './use-reveal.js'

interface Props {
  step: Extract<Step, { at: 'closed' }>
  open: Reveal['open']
}

/** The page before the secret is revealed. Only its button uses a view. */
export function RevealForm({ step: { meta, isOpening, refusal }, open }: Props) {
  const { t } = useTranslation('secret')
  const form = useRef<HTMLFormElement>(null)
  const [key, setKey] = useState('')
  const [password, setPassword] = useState('')
  // The field stays when the key has been accepted.
  const [needsKey] = useState(meta === null)
  const left = useCountdown(refusal && 'error' in refusal ? refusal.error : null)
  const isReceived = refusal?.of === 'opening' && refusal.isReceived
  const isPublic = meta?.kind === 'public'
  useFocus(form, meta?.passwordRequired, refusal)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (left === 0) void open({ key, password })
  }
  return (
    <Page
      heading={t(isPublic ? 'closed.public-heading' : 'closed.heading')}
      lede={isReceived ? undefined : meta ? ledeFor(meta) : t('closed.needs-key')}
    >
      <form ref={form} className="card" noValidate onSubmit={submit}>
        {meta && !isReceived && <Facts meta={meta} />}
        {needsKey && <KeyField value={key} refusal={refusal} onChange={setKey} />}
        {meta?.passwordRequired && <PasswordField value={password} refusal={refusal} onChange={setPassword} />}
        <RevealErrorNotice refusal={refusal} left={left} />
        <button type="submit" className="button primary large whole" aria-disabled={isOpening || left > 0}>
          <Icon name="eye" />
          {t(isOpening ? 'open.busy' : isReceived ? 'common:retry' : 'open.action')}
        </button>
        {meta?.maxViews !== null && !isReceived && (
          <p className="hint centered">{t(meta?.maxViews === 1 ? 'open.once' : 'open.counts')}</p>
        )}
      </form>
    </Page>
  )

  function ledeFor({ maxViews, kind }: SecretExists): string {
    if (maxViews === null) return t(kind === 'public' ? 'closed.public' : 'closed.kept')
    return t('closed.times', { count: maxViews })
  }
}

/** Moves the focus to what the user does next: on arrival, when the password field appears, and after an error. */
function useFocus(
  form: RefObject<HTMLFormElement | null>,
  needsPassword: boolean | undefined,
  refusal: Refusal | null,
) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the field appears with `needsPassword`
  useEffect(() => {
    if (refusal) {
      const field = form.current?.querySelector<HTMLInputElement>('[aria-invalid]')
      field?.focus()
      field?.select()
      return
    }
    const fields = form.current?.querySelectorAll<HTMLElement>('input, [type=submit]') ?? []
    const inputs = [...fields].filter((each) => each.matches('input'))
    ;(inputs.at(-1) ?? fields[0])?.focus({ preventScroll: true })
  }, [form, needsPassword, refusal])
}

interface FieldProps {
  value: string
  refusal: Refusal | null
  onChange(value: string): void
}

function KeyField({ value, refusal, onChange }: FieldProps) {
  const { t } = useTranslation('secret')
  const error = refusal?.of === 'key' ? t(`key.${refusal.problem}`) : null
  return (
    <Field label={t('key.label')} hint={t('key.hint')} error={error}>
      {(control) => (
        <input
          {...control}
          className="mono"
          dir="ltr"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  )
}

function PasswordField({ value, refusal, onChange }: FieldProps) {
  const { t } = useTranslation('secret')
  return (
    <Field label={t('password.label')} hint={t('password.hint')} error={errorText()}>
      {(control) => (
        <PasswordInput
          {...control}
          autoComplete="off"
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  )

  function errorText(): string | null {
    if (refusal?.of !== 'password') return null
    const { isMissing, attemptsLeft } = refusal
    if (isMissing) return t('password.missing')
    return attemptsLeft === null ? t('password.wrong') : t('password.wrong-left', { count: attemptsLeft })
  }
}

function Facts({ meta: { maxViews, expiresAt, files } }: { meta: SecretExists }) {
  const { t } = useTranslation('secret')
  const values = {
    date: formatDateTime(expiresAt, language),
    relative: formatRelativeTime(expiresAt, Date.now(), language),
  }
  return (
    <dl className="facts">
      <dt>{t('facts.views-left')}</dt>
      <dd>{maxViews === null ? t('facts.not-limited') : formatNumber(maxViews, language)}</dd>
      <dt>{t('common:facts.expires')}</dt>
      <dd>
        <time dateTime={new Date(expiresAt).toISOString()}>{t('common:facts.date', values)}</time>
      </dd>
      {files > 0 && (
        <>
          <dt>{t('facts.files')}</dt>
          <dd>{formatNumber(files, language)}</dd>
        </>
      )}
    </dl>
  )
}
