import { useTranslation } from 'react-i18next'
import { type LoaderFunctionArgs, useLoaderData, useLocation, useNavigate } from 'react-router'
import { ConfirmButton } from '../../../components/ConfirmButton.js'
import { EmptyState } from '../../../components/EmptyState.js'
import { ErrorText } from '../../../components/ErrorText.js'
import { Link } from '../../../components/Link.js'
import { Notice } from '../../../components/Notice.js'
import { Page } from '../../../components/Page.js'
import { RequestIntro } from '../../../components/RequestIntro.js'
import { RequestLinkProblem } from '../../../components/RequestLinkProblem.js'
import { ShareLink } from '../../../components/ShareLink.js'
import { accountPaths } from '../../../lib/account-paths.js'
import { readCollectLink } from '../../../lib/collect-links/kept-collect-links.js'
import { formatTime, sanitizeName } from '../../../lib/format.js'
import { formatDateTime } from '../../../lib/format-time.js'
import { language } from '../../../lib/i18n.js'
import { paths } from '../../../lib/paths.js'
import { sessionStore, useSession } from '../../../lib/session/session-store.js'
import { useSettings } from '../../../lib/settings.js'
import { useCountdown } from '../../../lib/use-countdown.js'
import { LeaveQuestion, RevealedPage } from '../RevealPage.js'
import { isSpent } from '../spent-link.js'
import { SubmissionTable } from './SubmissionTable.js'
import { type Collect, type CollectedList, useCollect } from './use-collect.js'
import type { CollectError, Submission } from './use-submissions.js'

/** Resolves with the link that this browser keeps, for an address without a key; else null. */
export async function loader({ params: { requestId = '' } }: LoaderFunctionArgs): Promise<string | null> {
  const session = await sessionStore.load()
  return session && readCollectLink({ username: session.username, id: requestId }, Date.now())
}

/** The page of a collect link. Another link mounts it again. */
export default function CollectPage() {
  const { pathname, hash } = useLocation()
  const kept = useLoaderData<string | null>()
  return (
    <CollectSubmissions
      key={pathname + hash}
      url={(hash === '' && kept) || location.href}
      isKept={hash === '' && kept !== null}
    />
  )
}

/** An open submission has its own history entry: Back leads to the list, Forward to the submission. */
function CollectSubmissions({ url, isKept }: { url: string; isKept: boolean }) {
  const { t } = useTranslation('requests')
  const navigate = useNavigate()
  const { pathname, hash, state } = useLocation()
  const collect = useCollect({ url, isKept, isSpent: isSpent(state) }, useSettings().settings.limits)
  const { step, outcomes, repeated } = collect
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
      return <ClosedPage />
    case 'list':
      return (
        <>
          {typeof shown === 'object' ? (
            <RevealedPage
              key={shown.content.id}
              opened={shown}
              origin={t('collect.authentic')}
              notice={
                repeated.has(shown.content.id) && (
                  <Notice kind="warn" role="alert" heading={t('collect.repeated')}>
                    {t('collect.repeated-explanation')}
                  </Notice>
                )
              }
              back={
                <button type="button" className="button" onClick={() => navigate(-1)}>
                  {t('collect.back')}
                </button>
              }
            />
          ) : (
            <ListPage list={step.list} collect={collect} onOpen={open} />
          )}
          <LeaveQuestion opened={[...outcomes.values()].filter((outcome) => typeof outcome === 'object')} />
        </>
      )
  }
}

/** After the user closed the request. */
function ClosedPage() {
  const { t } = useTranslation('requests')
  const { requests } = useSettings().settings
  const isSignedIn = useSession() !== null
  return (
    <Page centered heading={t('collect.closed')} lede={t('collect.closed-lede')}>
      <div className="actions">
        {requests ? (
          <Link className="button primary" to={paths.request}>
            {t('own.new')}
          </Link>
        ) : (
          <ShareLink />
        )}
        {isSignedIn && (
          <Link className="button" to={accountPaths.requests}>
            {t('own.heading')}
          </Link>
        )}
      </div>
    </Page>
  )
}

interface ListProps {
  list: CollectedList
  collect: Collect
  onOpen(submission: Submission): void
}

function ListPage({ list, collect, onOpen }: ListProps) {
  const { t } = useTranslation('requests')
  const { outcomes, opening, failure, isRepeatable, isInBrowser, load, burn, close, forget } = collect
  const hasTampered = [...outcomes.values()].includes('tampered')
  const hasForged = [...outcomes.values()].includes('forged')
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
      {hasForged && (
        <Notice kind="bad" role="alert" heading={t('collect.forged')}>
          {t('collect.forged-explanation')}
        </Notice>
      )}
      <ListError failure={failure} />
      <p className="status" role="status">
        {lastBurned && t('collect.burned')}
      </p>
      {list.submissions.length === 0 ? (
        <EmptyState title={t('collect.none')}>{null}</EmptyState>
      ) : (
        <SubmissionTable {...{ list, outcomes, opening, isRepeatable, onOpen }} onBurn={burn} />
      )}
      <div className="between apart">
        <button type="button" className="button" onClick={load}>
          {t('collect.refresh')}
        </button>
        {isInBrowser && (
          <ConfirmButton
            isDangerous={false}
            label={t('keep.remove')}
            name={t('keep.remove')}
            heading={t('keep.question')}
            explanation={t('keep.explanation')}
            cancelLabel={t('common:burn.keep')}
            confirmLabel={t('keep.remove')}
            onConfirm={forget}
          />
        )}
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

function ListError({ failure }: { failure: CollectError | null }) {
  const { t } = useTranslation('requests')
  const left = useCountdown(failure?.error ?? null)
  if (failure === null) return null
  const { error, earlier } = failure
  if (!earlier) return <Notice kind="bad" role="alert" heading={<ErrorText error={error} left={left} />} />
  return (
    <Notice kind="warn" role="alert" heading={t('reveal:lost.heading')}>
      {earlier.repeatableUntil === null
        ? t('reveal:lost.strict')
        : t('reveal:lost.explanation', { time: formatTime(earlier.repeatableUntil, language) })}
    </Notice>
  )
}
