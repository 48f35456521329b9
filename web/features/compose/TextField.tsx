import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { startCryptoWorker } from '../../crypto-worker/crypto-client.js'
import { Field } from '../../forms/Field.js'
import { useSettings } from '../../lib/settings.js'
import { useDraft } from './draft/draft-store.js'
import { problemMessage } from './draft/problem-message.js'
import type { Problems } from './draft/validate-draft.js'
import { loadCreatedPage } from './load-created-page.js'

/** Uncontrolled, so that a pasted megabyte does not go through React at every key press. */
export function TextField({ problem, children }: { problem: Problems['text']; children: ReactNode }) {
  const { t } = useTranslation('home')
  const { limits } = useSettings().settings
  const draft = useDraft()
  const area = useRef<HTMLTextAreaElement>(null)
  const [count, setCount] = useState(draft.text.length)

  // Before the next key press, so that typing in the server-rendered page continues here.
  useLayoutEffect(() => {
    const { text, selection } = draft
    draft.selection = null
    if (!area.current) return
    // It may have grown since this was rendered.
    area.current.value = text
    setCount(text.length)
    if (!selection) return
    area.current.focus()
    area.current.setSelectionRange(...selection)
  }, [draft])
  useEffect(() => {
    if (matchMedia('(pointer: fine)').matches) area.current?.focus()
  }, [])

  const update = (text: string) => {
    draft.text = text
    setCount(text.length)
    startCryptoWorker()
    loadCreatedPage().catch(() => {})
  }
  return (
    <div>
      <Field label={t('text.label')} error={problemMessage('text', problem, limits)}>
        {(control) => (
          <textarea
            {...control}
            ref={area}
            defaultValue={draft.text}
            autoComplete="off"
            spellCheck={false}
            placeholder={t('text.placeholder')}
            onInput={(event) => update(event.currentTarget.value)}
          />
        )}
      </Field>
      <div className="between below">
        {children}
        <p className="hint count">{t('text.count', { count })}</p>
      </div>
    </div>
  )
}
