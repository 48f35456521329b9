import { useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../components/CopyButton.js'
import { Icon } from '../../components/Icon.js'
import { downloadFile } from '../../lib/download-file.js'
import { hideWhenInactive } from '../../lib/hide-when-inactive.js'

/** Longer texts may be code, so line wrapping can be turned off. */
const WRAP_TOGGLE_LENGTH = 2000

/** Shows the text unchanged: no links, no markup, no translation by the browser. */
export function TextCard({ text }: { text: string }) {
  const { t } = useTranslation('secret')
  const id = useId()
  const [isHidden, setHidden] = useState(false)
  const [isWrapped, setWrapped] = useState(true)
  useEffect(() => hideWhenInactive(() => setHidden(true)), [])
  return (
    <section className="card" aria-labelledby={id}>
      <div className="between">
        <h2 id={id}>{t('text.heading')}</h2>
        <div className="actions">
          <CopyButton primary text={text}>
            {t('text.copy')}
          </CopyButton>
          <button type="button" className="button" onClick={() => downloadFile('secret.txt', text)}>
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
          className="secret mono"
          data-wrapped={isWrapped}
          role="textbox"
          aria-readonly="true"
          aria-multiline="true"
          aria-labelledby={id}
          tabIndex={0}
          translate="no"
          dir="auto"
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
