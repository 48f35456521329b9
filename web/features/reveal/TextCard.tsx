import { useEffect, useId, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../components/CopyButton.js'
import { Icon } from '../../components/Icon.js'
import { downloadFile } from '../../lib/download-file.js'
import { hideWhenInactive } from '../../lib/hide-when-inactive.js'
import { hasLongLine } from '../../lib/long-lines.js'

/** Longer texts may be code, so line wrapping can be turned off. */
const WRAP_TOGGLE_LENGTH = 2000

/** Shows the text unchanged: no links, no markup, no translation by the browser. */
export function TextCard({ text, onSaved }: { text: string; onSaved(): void }) {
  const { t } = useTranslation('reveal')
  const id = useId()
  const [isHidden, setHidden] = useState(false)
  const [isWrapped, setWrapped] = useState(true)
  const isLong = useMemo(() => hasLongLine(text), [text])
  useEffect(() => hideWhenInactive(() => setHidden(true)), [])
  const save = () => {
    downloadFile('secret.txt', text)
    onSaved()
  }
  return (
    <section className="card" aria-labelledby={id}>
      <div className="between">
        <h2 id={id}>{t('text.heading')}</h2>
        <div className="actions text-actions">
          <CopyButton primary text={text} onCopied={onSaved}>
            {t('text.copy')}
          </CopyButton>
          <button type="button" className="button" onClick={save}>
            <Icon name="download" />
            {t('text.save')}
          </button>
          <button type="button" className="button" onClick={() => setHidden(!isHidden)}>
            <Icon name="eye" />
            {t(isHidden ? 'text.show' : 'text.hide')}
          </button>
          <button type="button" className="button icon-only" aria-label={t('text.print')} onClick={() => print()}>
            <Icon name="print" />
          </button>
        </div>
      </div>
      {isHidden ? (
        <p className="hidden-text">{t('text.hidden')}</p>
      ) : (
        // biome-ignore lint/a11y/useSemanticElements: a real text area would turn the line ends of a text into its own
        <div
          className={isLong ? 'secret mono long' : 'secret mono'}
          data-wrapped={isWrapped}
          role="textbox"
          aria-readonly="true"
          aria-multiline="true"
          aria-labelledby={id}
          tabIndex={0}
          translate="no"
          dir="auto"
          onCopy={() => isWholeTextSelected(text) && onSaved()}
        >
          {text}
        </div>
      )}
      {text.length > WRAP_TOGGLE_LENGTH && (
        <button type="button" className="button" aria-pressed={isWrapped} onClick={() => setWrapped(!isWrapped)}>
          {t('text.wrap')}
        </button>
      )}
    </section>
  )
}

/** A part of the text does not count as a copy. */
const isWholeTextSelected = (text: string): boolean => withoutLineEnds(String(getSelection())) === withoutLineEnds(text)

/** A selection has the line ends of the platform, and may end with a further one. */
const withoutLineEnds = (text: string): string => text.replace(/[\r\n]/g, '')
