import { type FormEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { LinkError, type LinkProblem, parseFragment } from '#shared/link'
import { parsePastedKey } from '#shared/pasted-key'
import { EndPage } from '../../components/EndPage.js'
import { Page } from '../../components/Page.js'
import { KeyField } from './KeyField.js'

/** The link is malformed, and no request was sent. When only its key is, the user can paste it again. */
export function BrokenLinkPage({ problem }: { problem: LinkProblem }) {
  const { t } = useTranslation('reveal')
  const texts = { heading: t(`broken.${problem}.heading`), lede: t(`broken.${problem}.explanation`) }
  if (problem !== 'incomplete') return <EndPage {...texts} />
  return (
    <Page centered {...texts}>
      <PasteForm />
    </Page>
  )
}

/** Opens the page of the same secret with the pasted key. */
function PasteForm() {
  const { t } = useTranslation('reveal')
  const navigate = useNavigate()
  const form = useRef<HTMLFormElement>(null)
  const [value, setValue] = useState('')
  const [problem, setProblem] = useState<LinkProblem | null>(null)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    try {
      const hash = parsePastedKey(value)
      parseFragment(hash)
      void navigate({ hash }, { replace: true })
    } catch (error) {
      if (!(error instanceof LinkError)) throw error
      setProblem(error.problem)
      form.current?.querySelector('input')?.focus()
    }
  }
  return (
    <form ref={form} className="card" noValidate onSubmit={submit}>
      <KeyField value={value} problem={problem} onChange={setValue} />
      <button type="submit" className="button primary">
        {t('broken.continue')}
      </button>
    </form>
  )
}
