import { type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../components/Icon.js'
import { Lazy } from '../../components/Lazy.js'
import { Notice } from '../../components/Notice.js'
import { runWhenIdle } from '../../lib/run-when-idle.js'
import { useSettings } from '../../lib/settings.js'
import { site } from '../../lib/site.js'
import { useLazyPart } from '../../lib/use-lazy-part.js'
import { ComposeTabs } from './ComposeTabs.js'
import type { ShownLink } from './created-link.js'
import { type Options, useDraft } from './draft/draft-store.js'
import { ExpiryField } from './ExpiryField.js'
import { AttachField } from './files/AttachField.js'
import { fileSupportPart } from './files/file-support-part.js'
import { MoreOptions } from './MoreOptions.js'
import { PasswordField } from './PasswordField.js'
import { SendForm } from './SendForm.js'
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
  const { draftForm, options, change, recheck } = useComposer(onCreated)
  const { attachments, problems } = draftForm
  const button = useRef<HTMLButtonElement>(null)
  useEarlyClick(button, hasStart)
  // A server that is updated meanwhile no longer has these files.
  useEffect(() => runWhenIdle(loadParts), [])
  const type = () => {
    startEncryption()
    recheck()
  }
  return (
    <SendForm
      draftForm={draftForm}
      heading={t('heading')}
      lede={t(options.isPublic ? 'public.hint' : 'lede')}
      isDisabled={!canCreate}
      above={
        <>
          {site.notice && <Notice kind="info">{site.notice}</Notice>}
          {!canCreate && <Lazy part={senderPart}>{({ CannotCreate }) => <CannotCreate />}</Lazy>}
          <ComposeTabs />
        </>
      }
      submitRow={(isBusy, cancel) => <SubmitRow button={button} options={options} isBusy={isBusy} onCancel={cancel} />}
    >
      {(isClosed, sent) => (
        <>
          <TextField problem={problems.text} isClosed={isClosed} onTyping={type}>
            {policy.files && (
              <AttachField attachments={attachments} problem={problems.files} isClosed={!canCreate || isClosed} />
            )}
          </TextField>
          {/* Changes would not be in the link. */}
          <fieldset className="stack" role="presentation" disabled={isClosed}>
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
        </>
      )}
    </SendForm>
  )
}

/**
 * Clicks the button if the user clicked the button of the server-rendered page. With presets or options of the last
 * secret, the user sees them first: another key press sends the form.
 */
function useEarlyClick(button: RefObject<HTMLButtonElement | null>, hasStart: boolean): void {
  const draft = useDraft()
  useEffect(() => {
    if (!draft.isSendWanted) return
    draft.isSendWanted = false
    button.current?.focus()
    if (!hasStart) button.current?.click()
  }, [draft, button, hasStart])
}

/** See last-options.ts, which is loaded only when there are some. */
function hasLastOptions(): boolean {
  try {
    return 'last-options' in localStorage
  } catch {
    return false
  }
}

interface SubmitRowProps {
  button: RefObject<HTMLButtonElement | null>
  options: Options
  isBusy: boolean
  onCancel(): void
}

function SubmitRow({ button, options, isBusy, onCancel }: SubmitRowProps) {
  const { t } = useTranslation('compose')
  return (
    <>
      <Summary options={options} />
      <div className="between">
        <p className="hint shortcut">
          <kbd>{t('create.control')}</kbd> <kbd>Enter</kbd> {t('create.shortcut')}
        </p>
        {isBusy && <Cancel onCancel={onCancel} />}
        <button ref={button} type="submit" className="button primary large" aria-disabled={isBusy}>
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

/** One after the other, because the page does not respond while the requests for one of them start. */
async function loadParts(): Promise<void> {
  startEncryption()
  const sender = await senderPart.load().catch(() => null)
  sender?.registerShareWorker()
  await fileSupportPart.load().catch(() => null)
}
