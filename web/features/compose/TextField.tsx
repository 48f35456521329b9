import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { warmUp } from '../../crypto-worker/crypto-client.js'
import { Field } from '../../forms/Field.js'
import { useSettings } from '../../lib/settings.js'
import { kept, type Problems } from './draft-options.js'
import { loadCreated } from './load-created-page.js'
import { problemText } from './problem-message.js'

/** Uncontrolled: a pasted megabyte must not travel through React at every key. */
export function TextField({ problem, children }: { problem: Problems['text']; children: ReactNode }) {
  const { t } = useTranslation('home')
  const { limits } = useSettings().settings
  const area = useRef<HTMLTextAreaElement>(null)
  const [count, setCount] = useState(kept.text.length)

  // Before the next key: whoever types into the page of the server types on here.
  useLayoutEffect(() => {
    const { text, caret } = kept
    kept.caret = null
    if (!area.current) return
    // There may be more of it than when this was rendered.
    area.current.value = text
    setCount(text.length)
    if (!caret) return
    area.current.focus()
    area.current.setSelectionRange(...caret)
  }, [])
  useEffect(() => {
    if (matchMedia('(pointer: fine)').matches) area.current?.focus()
  }, [])

  const remember = (text: string) => {
    kept.text = text
    setCount(text.length)
    warmUp()
    loadCreated().catch(() => {})
  }
  return (
    <div>
      <Field label={t('text.label')} error={problemText('text', problem, limits)}>
        {(control) => (
          <textarea
            {...control}
            ref={area}
            defaultValue={kept.text}
            autoComplete="off"
            spellCheck={false}
            placeholder={t('text.placeholder')}
            onInput={(event) => remember(event.currentTarget.value)}
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
