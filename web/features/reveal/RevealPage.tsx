import { useTranslation } from 'react-i18next'
import { useLocation, useParams } from 'react-router'
import type { EpochMs } from '#shared/epoch-ms'
import { EndPage } from '../../components/EndPage.js'
import { Loading } from '../../components/Loading.js'
import { Page } from '../../components/Page.js'
import { errorMessage } from '../../lib/error-message.js'
import { useSettings } from '../../lib/settings.js'
import { BrokenLinkPage } from './BrokenLinkPage.js'
import { isEarlyFormShown } from './early-form.js'
import { GonePage } from './GonePage.js'
import { LeaveQuestion } from './LeaveQuestion.js'
import { RevealedPage } from './RevealedPage.js'
import { RevealForm } from './RevealForm.js'
import { isSpent, keyOfEntry, openedAtOfEntry } from './spent-link.js'
import { checkEarly, useReveal } from './use-reveal.js'

// For the page that collects submissions: it stays in this chunk.
export { LeaveQuestion, RevealedPage }

/** The form in the page of the server stays until the app has the same facts. */
export async function loader(): Promise<null> {
  if (isEarlyFormShown()) await checkEarly(location)
  return null
}

/** Another secret or key mounts the page again. */
export default function RevealPage() {
  const { secretId = '' } = useParams()
  const { hash, state } = useLocation()
  const link = { id: secretId, fragment: hash.slice(1), entryKey: keyOfEntry(state), isSpent: isSpent(state) }
  return <RevealSecret key={secretId + hash} link={link} openedAt={openedAtOfEntry(state)} />
}

interface Props {
  link: Parameters<typeof useReveal>[0]
  openedAt: EpochMs | null
}

function RevealSecret({ link, openedAt }: Props) {
  const { t } = useTranslation('reveal')
  const { limits } = useSettings().settings
  const { step, check, open, sendCode } = useReveal(link, limits)
  const retry = (
    <button type="button" className="button primary" onClick={check}>
      {t('common:retry')}
    </button>
  )
  switch (step.at) {
    case 'checking':
      return (
        // At the place of the heading in the HTML and in the form, so that it does not move.
        <Page heading={t('closed.heading')}>
          <Loading />
        </Page>
      )
    case 'broken-link':
      return <BrokenLinkPage problem={step.problem} />
    case 'unchecked':
      return (
        <Page centered heading={t('unchecked.heading')} lede={errorMessage(step.error)}>
          <p className="actions">{retry}</p>
        </Page>
      )
    case 'closed':
      return <RevealForm step={step} open={open} sendCode={sendCode} />
    case 'gone':
      return <GonePage isKeyTyped={step.isKeyTyped} why={step.why} openedAt={openedAt} onRetry={check} />
    case 'tampered':
      return <EndPage heading={t('sealed.hostile')} lede={t('failed.unused')} />
    case 'revealed':
      return (
        <>
          <RevealedPage opened={step.opened} />
          <LeaveQuestion opened={[step.opened]} />
        </>
      )
  }
}
