import { type FormEvent, useEffect, useRef } from 'react'
import { useCountdown } from '../lib/use-countdown.js'
import { ErrorText } from './ErrorText.js'
import { Icon } from './Icon.js'
import { Notice } from './Notice.js'
import { Page } from './Page.js'

interface Props {
  heading: string
  lede: string
  /** On the button. */
  action: string
  busy: string
  isBusy: boolean
  /** Why the last try failed; null: it did not. */
  error: unknown
  onOpen(): void
}

/** The first screen of the pages of both links of a request. Nothing is sent before the click. */
export function RequestIntro({ heading, lede, action, busy, isBusy, error, onOpen }: Props) {
  const button = useRef<HTMLButtonElement>(null)
  const left = useCountdown(error)
  useEffect(() => button.current?.focus({ preventScroll: true }), [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isBusy && left === 0) onOpen()
  }
  return (
    <Page heading={heading} lede={lede}>
      <form className="card" onSubmit={submit}>
        {error !== null && <Notice kind="bad" role="alert" heading={<ErrorText error={error} left={left} />} />}
        <button ref={button} type="submit" className="button primary large whole" aria-disabled={isBusy || left > 0}>
          <Icon name="eye" />
          {isBusy ? busy : action}
        </button>
      </form>
    </Page>
  )
}
