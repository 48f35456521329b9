/** The form of a secret or of a submission: its fields, and what happens while it is sent. */
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react'
import { useTranslation } from 'react-i18next'
import { isOutcomeUnknown } from '#shared/client/client'
import { ErrorText } from '../../components/ErrorText.js'
import { FocusedNotice } from '../../components/FocusedNotice.js'
import { Lazy } from '../../components/Lazy.js'
import { Page } from '../../components/Page.js'
import { RetryButton } from '../../components/RetryButton.js'
import { formatPercent } from '../../lib/format.js'
import { language } from '../../lib/i18n.js'
import { restrictionPath } from '../../lib/session/restriction.js'
import { useCountdown } from '../../lib/use-countdown.js'
import { fileSupportPart } from './files/file-support-part.js'
import type { UploadStatus } from './files/upload-files.js'
import { type DraftForm, useSending } from './use-sending.js'

interface Props {
  draftForm: DraftForm
  heading: string
  lede: string
  /** Content above the form. */
  above: ReactNode
  isDisabled?: boolean
  submitRow(isBusy: boolean, cancel: () => void): ReactNode
  /** Texts of the progress of an upload. */
  texts?: { creating: string; leave: string }
  /** The fields. They are rendered again when they are closed, but not for the click that sends them. */
  children(isClosed: boolean, sent: UploadStatus | null): ReactNode
}

export function SendForm(props: Props) {
  const { draftForm, heading, lede, above, isDisabled, submitRow, texts, children } = props
  const form = useRef<HTMLFormElement>(null)
  const { failure, isBusy, sent, submit, cancel } = useSending(draftForm)
  // The button responds to the click first: closing many fields takes longer. They open before the focus moves to one.
  const isClosed = useDeferredValue(isBusy) && isBusy
  const fields = useMemo(() => children(isClosed, sent), [children, isClosed, sent])
  useFormFocus(form, draftForm.rejections, isClosed)
  return (
    <Page
      heading={heading}
      title={sent ? formatPercent(sent.percent, language) : undefined}
      hasError={failure !== null || Object.keys(draftForm.problems).length > 0}
      lede={lede}
    >
      {above}
      <form ref={form} className="card" noValidate onSubmit={submit} onKeyDown={submitOnCtrlEnter}>
        <fieldset aria-label={heading} disabled={isDisabled || sent !== null}>
          {fields}
          {failure !== null && <Failure error={failure} />}
          {sent === null && submitRow(isBusy, cancel)}
        </fieldset>
        {sent !== null && (
          <Lazy part={fileSupportPart}>
            {({ UploadProgress }) => <UploadProgress sent={sent} texts={texts} onCancel={cancel} />}
          </Lazy>
        )}
      </form>
    </Page>
  )
}

/**
 * Focuses the first field with a problem when `rejections` grows, and the submit button when the focused field is
 * closed while the draft is sent.
 */
function useFormFocus(form: RefObject<HTMLFormElement | null>, rejections: number, isClosed: boolean): void {
  useEffect(() => {
    if (rejections === 0) return
    const field = form.current?.querySelector<HTMLElement>('[aria-invalid]')
    field?.closest('details')?.setAttribute('open', '')
    field?.focus()
  }, [form, rejections])
  useLayoutEffect(() => {
    if (!isClosed || form.current?.querySelector(':focus:enabled')) return
    form.current?.querySelector<HTMLElement>('[type=submit]')?.focus()
  }, [form, isClosed])
}

function Failure({ error }: { error: unknown }) {
  const { t } = useTranslation('compose')
  const left = useCountdown(error)
  return (
    <FocusedNotice error={error} heading={<ErrorText error={error} left={left} />}>
      <p>
        {isOutcomeUnknown(error) && `${t('failure.unknown')} `}
        {t('failure.kept')}
      </p>
      {/* In a restricted session the notice has a link to the required step instead. */}
      {left === 0 && restrictionPath(error, '') === null && <RetryButton error={error} />}
    </FocusedNotice>
  )
}

function submitOnCtrlEnter(event: KeyboardEvent<HTMLFormElement>): void {
  // Enter may end the composition of a character.
  if (event.nativeEvent.isComposing) return
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit()
}
