import { type KeyboardEvent, lazy, type RefObject, Suspense, useEffect, useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorText } from '../../components/ErrorText.js'
import { Icon } from '../../components/Icon.js'
import { Link } from '../../components/Link.js'
import { Notice } from '../../components/Notice.js'
import { Page } from '../../components/Page.js'
import { formatPercent } from '../../lib/format.js'
import { language } from '../../lib/i18n.js'
import { paths } from '../../lib/paths.js'
import { useSession } from '../../lib/session/session-store.js'
import { useSettings } from '../../lib/settings.js'
import { site } from '../../lib/site.js'
import { useCountdown } from '../../lib/use-countdown.js'
import type { ShownLink } from './created-link.js'
import type { Options } from './draft/draft-store.js'
import type { Problems } from './draft/validate-draft.js'
import { ExpiryField } from './ExpiryField.js'
import { AttachField } from './files/AttachField.js'
import { loadFileSupport } from './files/load-file-support.js'
import { loadSender } from './load-sender.js'
import { MoreOptions } from './MoreOptions.js'
import { PasswordField } from './PasswordField.js'
import { Summary } from './Summary.js'
import { TextField } from './TextField.js'
import { useComposer } from './use-composer.js'
import { ViewsField } from './ViewsField.js'

const CancelButton = lazy(async () => ({ default: (await loadSender()).CancelButton }))
const FileRows = lazy(async () => ({ default: (await loadFileSupport()).FileList }))
const Sending = lazy(async () => ({ default: (await loadFileSupport()).UploadProgress }))

interface Props {
  onCreated(created: ShownLink): void
}

export function Composer({ onCreated }: Props) {
  const { t } = useTranslation('home')
  const { canCreate } = useSettings().settings
  const { attachments, options, change, problems, failure, isBusy, sent, submit, cancel } = useComposer(onCreated)
  const form = useFormFocus(problems, isBusy)
  return (
    <Page
      heading={t('heading')}
      title={sent ? formatPercent(sent.percent, language) : undefined}
      hasError={failure !== null || Object.keys(problems).length > 0}
      lede={t('lede')}
    >
      {site.notice && <Notice kind="info">{site.notice}</Notice>}
      {!canCreate && <CannotCreate />}
      <form ref={form} className="card" noValidate onSubmit={submit} onKeyDown={submitOnCtrlEnter}>
        <fieldset aria-label={t('heading')} disabled={!canCreate || sent !== null}>
          <TextField problem={problems.text} isClosed={isBusy} onTyping={startEncryption}>
            <AttachField attachments={attachments} problem={problems.files} isClosed={!canCreate || isBusy} />
          </TextField>
          {/* Changes would not be in the link. */}
          <fieldset className="stack" disabled={isBusy}>
            {attachments.files.length > 0 && (
              <Suspense>
                <FileRows
                  files={attachments.files}
                  isPublic={options.isPublic}
                  sent={sent}
                  onRemove={attachments.remove}
                />
              </Suspense>
            )}
            <div className="row">
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
          <Suspense>
            <Sending sent={sent} onCancel={cancel} />
          </Suspense>
        )}
      </form>
      <RequestLink />
    </Page>
  )
}

/** Why the form is disabled. */
function CannotCreate() {
  const { t } = useTranslation('home')
  const { read_only: isReadOnly, who_can_create: who, emailUnverified } = useSettings().settings
  const isSignedOut = useSession() === null
  const isUnverified = emailUnverified && who === 'users'
  const restricted = t(
    isUnverified
      ? 'common:errors.auth.email_unverified'
      : `common:errors.settings.${who === 'admins' ? 'admins_only' : 'users_only'}`,
  )
  return (
    <Notice kind="info" heading={isReadOnly ? t('read-only.heading') : restricted}>
      {t('read-only.explanation')}{' '}
      {!isReadOnly && isSignedOut && <Link to={`${paths.signIn}?to=${paths.home}`}>{t('common:frame.sign-in')}</Link>}
      {!isReadOnly && isUnverified && <Link to={paths.account}>{t('common:footer.account')}</Link>}
    </Notice>
  )
}

function RequestLink() {
  const { t } = useTranslation('home')
  const { requests } = useSettings().settings
  if (!requests) return null
  return (
    <p className="centered">
      <Link className="button quiet" to={paths.request}>
        {t('request')}
      </Link>
    </p>
  )
}

function SubmitRow({ options, isBusy, onCancel }: { options: Options; isBusy: boolean; onCancel(): void }) {
  const { t } = useTranslation('home')
  return (
    <>
      <Summary options={options} />
      <div className="between">
        <p className="hint shortcut">
          <kbd>{t('create.control')}</kbd> <kbd>Enter</kbd> {t('create.shortcut')}
        </p>
        {isBusy && (
          <Suspense>
            <CancelButton onCancel={onCancel} />
          </Suspense>
        )}
        <button type="submit" className="button primary large" aria-disabled={isBusy}>
          <Icon name={options.isPublic ? 'share' : 'lock'} />
          {t(isBusy ? 'create.busy' : options.isPublic ? 'create.publish' : 'create.action')}
        </button>
      </div>
    </>
  )
}

/** Focuses a field with a new problem, and the submit button when the focused field is closed while the draft is sent. */
export function useFormFocus(problems: Problems, isBusy: boolean): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only new problems move the focus
  useEffect(() => {
    const field = form.current?.querySelector<HTMLElement>('[aria-invalid]')
    field?.closest('details')?.setAttribute('open', '')
    field?.focus()
  }, [problems])
  useLayoutEffect(() => {
    const isClosed = isBusy && !form.current?.querySelector(':focus:enabled')
    if (isClosed) form.current?.querySelector<HTMLElement>('[type=submit]')?.focus()
  }, [isBusy])
  return form
}

function startEncryption(): void {
  loadSender().then(
    ({ startCryptoWorker }) => startCryptoWorker(),
    () => {},
  )
}

export function Failure({ error }: { error: unknown }) {
  const { t } = useTranslation('home')
  const left = useCountdown(error)
  return (
    <Notice kind="bad" role="alert" heading={<ErrorText error={error} left={left} />}>
      <p>{t('failure.kept')}</p>
      {left === 0 && (
        <button type="submit" className="button">
          {t('common:retry')}
        </button>
      )}
    </Notice>
  )
}

export function submitOnCtrlEnter(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit()
}
