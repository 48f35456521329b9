import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { NetworkError } from '#shared/client/client'
import { ConfirmButton } from '../../../components/ConfirmButton.js'
import { ErrorText } from '../../../components/ErrorText.js'
import { Notice } from '../../../components/Notice.js'
import { Page } from '../../../components/Page.js'
import { RequestIntro } from '../../../components/RequestIntro.js'
import { RequestLinkProblem } from '../../../components/RequestLinkProblem.js'
import { formatDateTime, sanitizeName } from '../../../lib/format.js'
import { language } from '../../../lib/i18n.js'
import { useSettings } from '../../../lib/settings.js'
import { useCountdown } from '../../../lib/use-countdown.js'
import { RevealedPage } from '../RevealPage.js'
import { isSpent } from '../spent-link.js'
import { SubmissionTable } from './SubmissionTable.js'
import { type Collect, type CollectedList, useCollect } from './use-collect.js'
import type { Submission } from './use-submissions.js'

/** The page of a collect link. Another link mounts it again. */
export default function CollectPage() {
  const { pathname, hash } = useLocation()
  return <CollectSubmissions key={pathname + hash} url={location.href} />
}

/** An open submission has its own history entry: Back leads to the list, Forward to the submission. */
function CollectSubmissions({ url }: { url: string }) {
  const { t } = useTranslation('requests')
  const navigate = useNavigate()
  const { pathname, hash, state } = useLocation()
  const collect = useCollect(url, isSpent(state), useSettings().settings.limits.maxTextBytes)
  const { step, outcomes } = collect
  const show = (id: string) => navigate({ pathname, hash }, { state: { submission: id } })
  const open = async (submission: Submission) => {
    const isOpen = typeof outcomes.get(submission.id) === 'object' || (await collect.open(submission))
    if (isOpen) await show(submission.id)
  }
  const shown = outcomes.get(state?.submission)
  switch (step.at) {
    case 'broken':
    case 'gone':
      return <RequestLinkProblem problem={step.at} />
    case 'closed':
      return (
        <RequestIntro
          heading={t('collect.heading')}
          lede={t('collect.intro')}
          action={t('collect.show')}
          busy={t('common:frame.loading')}
          isBusy={step.isOpening}
          error={step.error}
          onOpen={collect.load}
        />
      )
    case 'ended':
      return <Page centered heading={t('collect.closed')} lede={t('collect.closed-lede')} />
    case 'list':
      if (typeof shown !== 'object') return <ListPage list={step.list} collect={collect} onOpen={open} />
      return (
        <RevealedPage
          key={shown.id}
          content={shown}
          back={
            <button type="button" className="button" onClick={() => navigate(-1)}>
              {t('collect.back')}
            </button>
          }
        />
      )
  }
}

interface ListProps {
  list: CollectedList
  collect: Collect
  onOpen(submission: Submission): void
}

function ListPage({ list, collect: { outcomes, opening, error, load, burn, close }, onOpen }: ListProps) {
  const { t } = useTranslation('requests')
  const hasTampered = [...outcomes.values()].includes('tampered')
  const lastBurned = [...outcomes.values()].includes('burned')
  return (
    <Page
      wide
      heading={list.title === null ? t('collect.heading') : sanitizeName(list.title)}
      title={t('collect.heading')}
      lede={t('collect.lede', { date: formatDateTime(list.expiresAt, language) })}
    >
      {list.isNoteTampered && <Notice kind="bad" role="alert" heading={t('collect.note-tampered')} />}
      {hasTampered && (
        <Notice kind="bad" role="alert" heading={t('collect.tampered')}>
          {t('collect.tampered-explanation')}
        </Notice>
      )}
      <ListError error={error} />
      <p className="status" role="status">
        {lastBurned && t('collect.burned')}
      </p>
      {list.submissions.length === 0 ? (
        <div className="card centered">
          <p role="status">
            <strong>{t('collect.none')}</strong>
          </p>
        </div>
      ) : (
        <SubmissionTable list={list} outcomes={outcomes} opening={opening} onOpen={onOpen} onBurn={burn} />
      )}
      <div className="between apart">
        <button type="button" className="button" onClick={load}>
          {t('collect.refresh')}
        </button>
        <ConfirmButton
          label={t('close.action')}
          name={t('close.action')}
          heading={t('close.question')}
          explanation={t('close.explanation')}
          cancelLabel={t('common:burn.keep')}
          confirmLabel={t('close.action')}
          onConfirm={close}
        />
      </div>
    </Page>
  )
}

function ListError({ error }: { error: unknown }) {
  const { t } = useTranslation('requests')
  const left = useCountdown(error)
  if (error === null) return null
  if (error instanceof NetworkError) {
    return (
      <Notice kind="warn" role="alert" heading={t('secret:lost.heading')}>
        {t('secret:lost.explanation')}
      </Notice>
    )
  }
  return <Notice kind="bad" role="alert" heading={<ErrorText error={error} left={left} />} />
}
