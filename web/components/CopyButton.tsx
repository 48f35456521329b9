import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { copyText } from '../lib/clipboard.js'
import { Icon } from './Icon.js'

const COPIED_SHOWN_MS = 2000

interface Props {
  text: string
  children: ReactNode
  primary?: boolean
  onCopied?(): void
}

/**
 * Shows "Copied" only when the text is on the clipboard. Both labels occupy the same place, so that the width is
 * stable.
 */
export function CopyButton({ text, children, primary, onCopied }: Props) {
  const { t } = useTranslation()
  const [outcome, setOutcome] = useState<'copied' | 'failed' | null>(null)
  useEffect(() => {
    if (outcome !== 'copied') return
    const timer = setTimeout(() => setOutcome(null), COPIED_SHOWN_MS)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = async () => {
    const isCopied = await copyText(text)
    setOutcome(isCopied ? 'copied' : 'failed')
    if (isCopied) onCopied?.()
    else selectText(text)
  }
  return (
    <>
      <button type="button" className={primary ? 'button primary swap' : 'button swap'} onClick={copy}>
        <span className="label" data-shown={outcome !== 'copied'}>
          <Icon name="copy" />
          {children}
        </span>
        <span data-shown={outcome === 'copied'} aria-hidden="true">
          <Icon name="check" />
          {t('copy.done')}
        </span>
      </button>
      <span className="only-read" role="status">
        {outcome === 'copied' && t('copy.done')}
      </span>
      {outcome === 'failed' && (
        <span className="error" role="alert">
          {t('copy.failed')}
        </span>
      )}
    </>
  )
}

/** Selects the element of the page that shows the text, if there is one. */
function selectText(text: string): void {
  const elements = document.querySelectorAll('main :not(:has(*))')
  const shown = [...elements].find(({ textContent }) => textContent === text)
  if (shown) getSelection()?.selectAllChildren(shown)
}
