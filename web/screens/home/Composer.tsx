import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '#shared/client'
import { copyPromised } from '../../clipboard.js'
import { errorText } from '../../error-text.js'
import { Icon } from '../../parts/Icon.js'
import { Notice } from '../../parts/Notice.js'
import { Page } from '../../parts/Page.js'
import { useSettings } from '../../settings.js'
import { findProblems, kept, type Options, type Problems } from './draft.js'
import { ExpiryField } from './ExpiryField.js'
import { MoreOptions } from './MoreOptions.js'
import { PasswordField } from './PasswordField.js'
import { Summary } from './Summary.js'
import { type Created, prepare, type Send } from './send.js'
import { TextField } from './TextField.js'
import { ViewsField } from './ViewsField.js'

interface Attempt {
  text: string
  options: Options
  send: Send
}

interface Props {
  onCreated(created: Created, copied: Promise<boolean>): void
}

export function Composer({ onCreated }: Props) {
  const { t } = useTranslation('home')
  const { settings } = useSettings()
  const form = useRef<HTMLFormElement>(null)
  const [options, setOptions] = useState(kept.options)
  const [problems, setProblems] = useState<Problems>({})
  const [failure, setFailure] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const last = useRef<Attempt | null>(null)

  const change = (changed: Partial<Options>) => {
    kept.options = { ...options, ...changed }
    setOptions(kept.options)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: only new problems move the focus
  useEffect(() => {
    const field = form.current?.querySelector<HTMLElement>('[aria-invalid]')
    field?.closest('details')?.setAttribute('open', '')
    field?.focus()
  }, [problems])

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (isBusy) return
    const found = findProblems(kept.text, options, settings.limits)
    setProblems(found)
    setFailure(null)
    if (Object.keys(found).length > 0) return
    setBusy(true)
    last.current = attemptAt(kept.text, options, last.current)
    const made = last.current.send()
    const copied = copyPromised(made.then(({ link }) => link))
    try {
      onCreated(await made, copied)
    } catch (error) {
      const problem = problemOf(error)
      if (problem) setProblems(problem)
      else setFailure(error)
      setBusy(false)
    }
  }

  return (
    <Page heading={t('heading')} lede={t('lede')}>
      {settings.read_only && (
        <Notice kind="info" heading={t('read-only.heading')}>
          {t('read-only.explanation')}
        </Notice>
      )}
      <form ref={form} className="card" noValidate onSubmit={submit} onKeyDown={submitOnCtrlEnter}>
        <fieldset disabled={settings.read_only}>
          <TextField problem={problems.text} />
          <div className="row">
            <ExpiryField options={options} problem={problems.ttl} change={change} />
            <ViewsField options={options} problem={problems.maxViews} change={change} />
            <PasswordField options={options} problem={problems.password} change={change} />
          </div>
          <MoreOptions options={options} problems={problems} change={change} />
          {failure !== null && (
            <Notice kind="bad" role="alert" heading={errorText(failure)}>
              <p>{t('failure.kept')}</p>
              <button type="submit" className="button">
                {t('common:retry')}
              </button>
            </Notice>
          )}
          <div className="between">
            <Summary options={options} />
            <button type="submit" className="button primary large" aria-disabled={isBusy}>
              <Icon name="lock" />
              {t(isBusy ? 'create.busy' : 'create.action')}
            </button>
          </div>
          <p className="hint shortcut">
            <kbd>Ctrl</kbd> <kbd>Enter</kbd> {t('create.shortcut')}
          </p>
        </fieldset>
      </form>
    </Page>
  )
}

/** The same draft is sent again under the same name, so that a lost answer does not make two secrets. */
function attemptAt(text: string, options: Options, last: Attempt | null): Attempt {
  if (last?.text === text && last.options === options) return last
  return { text, options, send: prepare(text, options) }
}

function submitOnCtrlEnter(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit()
}

/** The field that is at fault, when the page has it. */
function problemOf(error: unknown): Problems | null {
  if (error instanceof Error && error.name === 'RangeError') return { text: { problem: 'half-character' } }
  if (!(error instanceof ApiError) || !error.body.field) return null
  const fields = ['text', 'ttl', 'maxViews', 'password', 'title', 'allowedIp']
  return fields.includes(error.body.field) ? { [error.body.field]: { message: error.message } } : null
}
