import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isOutcomeUnknown } from '#shared/client/client'
import { ErrorText } from '../../components/ErrorText.js'
import { FocusedNotice } from '../../components/FocusedNotice.js'
import { Icon } from '../../components/Icon.js'
import { Lazy } from '../../components/Lazy.js'
import { Notice } from '../../components/Notice.js'
import { Page } from '../../components/Page.js'
import { RetryButton } from '../../components/RetryButton.js'
import { formatPercent } from '../../lib/format.js'
import { language } from '../../lib/i18n.js'
import { runWhenIdle } from '../../lib/run-when-idle.js'
import { restrictionPath } from '../../lib/session/restriction.js'
import { useSettings } from '../../lib/settings.js'
import { site } from '../../lib/site.js'
import { useCountdown } from '../../lib/use-countdown.js'
import { useLazyPart } from '../../lib/use-lazy-part.js'
import { ComposeTabs } from './ComposeTabs.js'
import type { ShownLink } from './created-link.js'
import { type Options, useDraft } from './draft/draft-store.js'
import { ExpiryField } from './ExpiryField.js'
import { AttachField } from './files/AttachField.js'
import { fileSupportPart } from './files/file-support-part.js'
import { MoreOptions } from './MoreOptions.js'
import { PasswordField } from './PasswordField.js'
import { Summary } from './Summary.js'
import { senderPart, startEncryption } from './sender-part.js'
import { TextField } from './TextField.js'
import { useComposer } from './use-composer.js'
import { ViewsField } from './ViewsField.js'

interface Props {
  onCreated(created: ShownLink): void
}

export function Composer({ onCreated }: Props) {
  const { t } = useTranslation('compose')
  const { canCreate, policy, presets } = useSettings().settings
  const [hasLast] = useState(hasLastOptions)
  const hasStart = hasLast || presets.length > 0
  const { attachments, options, change, recheck, problems, rejections, failure, isBusy, sent, submit, cancel } =
    useComposer(onCreated)
  const form = useFormFocus(rejections, isBusy)
  useEarlyClick(form, hasStart)
  // A server that is updated meanwhile no longer has these files.
  useEffect(() => runWhenIdle(loadParts), [])
  const type = () => {
    startEncryption()
    recheck()
  }
  return (
    <Page
      heading={t('heading')}
      title={sent ? formatPercent(sent.percent, language) : undefined}
      hasError={failure !== null || Object.keys(problems).length > 0}
      lede={t(options.isPublic ? 'public.hint' : 'lede')}
    >
      {site.notice && <Notice kind="info">{site.notice}</Notice>}
      {!canCreate && <Lazy part={senderPart}>{({ CannotCreate }) => <CannotCreate />}</Lazy>}
      <ComposeTabs />
      <form ref={form} className="card" noValidate onSubmit={submit} onKeyDown={submitOnCtrlEnter}>
        <fieldset aria-label={t('heading')} disabled={!canCreate || sent !== null}>
          <TextField problem={problems.text} isClosed={isBusy} onTyping={type}>
            {policy.files && (
              <AttachField attachments={attachments} problem={problems.files} isClosed={!canCreate || isBusy} />
            )}
          </TextField>
          {/* Changes would not be in the link. */}
          <fieldset className="stack" role="presentation" disabled={isBusy}>
            {attachments.files.length > 0 && (
              <Lazy part={fileSupportPart}>
                {({ FileList }) => (
                  <FileList
                    files={attachments.files}
                    isPublic={options.isPublic}
                    sent={sent}
                    onRemove={attachments.remove}
                  />
                )}
              </Lazy>
            )}
            {hasStart && (
              <Lazy part={senderPart}>{({ StartField }) => <StartField options={options} change={change} />}</Lazy>
            )}
            <div className="row limits">
              <ExpiryField options={options} problem={problems.ttl} change={change} />
              <ViewsField options={options} problem={problems.maxViews} change={change} />
              <PasswordField options={options} problem={problems.password} change={change} />
            </div>
            <MoreOptions options={options} problems={problems} change={change} />
          </fieldset>
          {failure !== null && <Failure error={failure} />}
          {sent === null && <SubmitRow options={options} isBusy={isBusy} onCancel={cancel} />}
        </fieldset>
        {sent !== null && (
          <Lazy part={fileSupportPart}>{({ UploadProgress }) => <UploadProgress sent={sent} onCancel={cancel} />}</Lazy>
        )}
      </form>
    </Page>
  )
}

/**
 * Sends the form when the one of the server was sent. Someone with presets or options of the last secret sees them first:
 * another key press sends it.
 */
function useEarlyClick(form: RefObject<HTMLFormElement | null>, hasStart: boolean): void {
  const draft = useDraft()
  useEffect(() => {
    if (!draft.isSendWanted) return
    draft.isSendWanted = false
    const button = form.current?.querySelector<HTMLElement>('[type=submit]')
    button?.focus()
    if (!hasStart) button?.click()
  }, [draft, form, hasStart])
}

/** See last-options.ts, which is loaded only when there are some. */
function hasLastOptions(): boolean {
  try {
    return 'last-options' in localStorage
  } catch {
    return false
  }
}

function SubmitRow({ options, isBusy, onCancel }: { options: Options; isBusy: boolean; onCancel(): void }) {
  const { t } = useTranslation('compose')
  return (
    <>
      <Summary options={options} />
      <div className="between">
        <p className="hint shortcut">
          <kbd>{t('create.control')}</kbd> <kbd>Enter</kbd> {t('create.shortcut')}
        </p>
        {isBusy && <Cancel onCancel={onCancel} />}
        <button type="submit" className="button primary large" aria-disabled={isBusy}>
          <Icon name={options.isPublic ? 'share' : 'lock'} />
          {t(isBusy ? 'create.busy' : options.isPublic ? 'create.publish' : 'create.action')}
        </button>
      </div>
    </>
  )
}

/** Without an error of its own: the form shows why the draft could not be sent. */
function Cancel({ onCancel }: { onCancel(): void }) {
  const { module } = useLazyPart(senderPart)
  return module && <module.CancelButton onCancel={onCancel} />
}

/**
 * Focuses the first field with a problem when `rejections` grows, and the submit button when the focused field is closed
 * while the draft is sent.
 */
export function useFormFocus(rejections: number, isBusy: boolean): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (rejections === 0) return
    const field = form.current?.querySelector<HTMLElement>('[aria-invalid]')
    field?.closest('details')?.setAttribute('open', '')
    field?.focus()
  }, [rejections])
  useLayoutEffect(() => {
    const isClosed = isBusy && !form.current?.querySelector(':focus:enabled')
    if (isClosed) form.current?.querySelector<HTMLElement>('[type=submit]')?.focus()
  }, [isBusy])
  return form
}

function loadParts(): void {
  startEncryption()
  senderPart
    .load()
    .then(({ registerShareWorker }) => registerShareWorker())
    .catch(() => {})
  fileSupportPart.load().catch(() => {})
}

export function Failure({ error }: { error: unknown }) {
  const { t } = useTranslation('compose')
  const left = useCountdown(error)
  return (
    <FocusedNotice error={error} heading={<ErrorText error={error} left={left} />}>
      <p>
        {isOutcomeUnknown(error) && `${t('failure.unknown')} `}
        {t('failure.kept')}
      </p>
      {/* In a restricted session the notice has a link to what is missing instead. */}
      {left === 0 && restrictionPath(error, '') === null && <RetryButton error={error} />}
    </FocusedNotice>
  )
}

export function submitOnCtrlEnter(event: KeyboardEvent<HTMLFormElement>): void {
  // Enter may end the composition of a character.
  if (event.nativeEvent.isComposing) return
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit()
}
