import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useLoaderData, useNavigate } from 'react-router'
import { EndPage } from '../../../components/EndPage.js'
import { paths } from '../../../lib/paths.js'
import type { Attachment } from '../draft/attachments.js'
import { useDraft } from '../draft/draft-store.js'
import { fileSupportPart } from '../files/file-support-part.js'
import { registerShareWorker, takeShared } from './share-worker.js'

interface Loaded {
  text: string
  files: Attachment[]
}

/** Null: nothing was shared, or it went to the server, which discards it. */
export async function loader(): Promise<Loaded | null> {
  const shared = await takeShared()
  registerShareWorker()
  if (!shared) return null
  const { collectFiles } = await fileSupportPart.load()
  return { text: joinTexts(shared.text), files: await collectFiles({ files: shared.files, entries: [] }) }
}

/** Fills the form with the shared content. Nothing is sent before the user submits it. */
export default function SharePage() {
  const { t } = useTranslation('compose')
  const shared = useLoaderData<Loaded | null>()
  const draft = useDraft()
  const navigate = useNavigate()
  useEffect(() => {
    if (shared === null) return
    Object.assign(draft, shared)
    navigate(paths.home, { replace: true })
  }, [shared, draft, navigate])
  return shared === null && <EndPage heading={t('shared.heading')} lede={t('shared.explanation')} />
}

/** Programs often repeat the address or the title in the text. */
const joinTexts = (texts: string[]): string =>
  texts
    .filter((text, index) => text !== '' && !texts.some((other, at) => isRepeated(text, index, other, at)))
    .join('\n')

const isRepeated = (text: string, index: number, other: string, at: number): boolean =>
  at !== index && other.includes(text) && (other !== text || at < index)
