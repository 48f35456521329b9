import { useTranslation } from 'react-i18next'
import { ConfirmButton } from '../../../components/ConfirmButton.js'
import { RelativeTime } from '../../../components/RelativeTime.js'
import { type Column, Table } from '../../../components/Table.js'
import { formatBytes, formatNumber } from '../../../lib/format.js'
import { language } from '../../../lib/i18n.js'
import type { CollectedList } from './use-collect.js'
import type { Outcome, Submission } from './use-submissions.js'

interface Props {
  list: CollectedList
  outcomes: ReadonlyMap<string, Outcome>
  /** The id of the submission that is being opened. */
  opening: string | null
  /** Whether this tab can open it again. */
  isRepeatable(id: string): boolean
  onOpen(submission: Submission): void
  onBurn(submission: Submission): void
}

type State = 'new' | 'shown' | 'ended' | 'tampered'

/** The submissions of a request, oldest first. */
export function SubmissionTable({ list, outcomes, opening, isRepeatable, onOpen, onBurn }: Props) {
  const { t } = useTranslation('requests')
  const stateOf = ({ id, viewed }: Submission): State => {
    const outcome = outcomes.get(id)
    if (outcome === 'tampered' || outcome === 'forged') return 'tampered'
    if (typeof outcome === 'object') return 'shown'
    if (outcome !== undefined) return 'ended'
    if (isRepeatable(id)) return 'shown'
    return viewed ? 'ended' : 'new'
  }
  const columns: Column<Submission>[] = [
    { name: t('collect.number'), render: (_, index) => formatNumber(index + 1, language) },
    { name: t('collect.arrived'), render: ({ createdAt }) => <RelativeTime at={createdAt} /> },
    { name: t('collect.size'), render: ({ size }) => formatBytes(size, language) },
    { name: t('reveal:facts.files'), render: ({ files }) => formatNumber(files, language) },
    {
      name: t('collect.state'),
      render: (submission) => <span className="badge">{t(`collect.states.${stateOf(submission)}`)}</span>,
    },
    {
      name: t('collect.actions'),
      render: (submission, index) => (
        <Actions
          state={stateOf(submission)}
          number={formatNumber(index + 1, language)}
          isOpening={opening === submission.id}
          onOpen={() => onOpen(submission)}
          onBurn={() => onBurn(submission)}
        />
      ),
    },
  ]
  return <Table name={t('collect.heading')} columns={columns} items={list.submissions} getKey={({ id }) => id} />
}

interface ActionsProps {
  state: State
  number: string
  isOpening: boolean
  onOpen(): void
  onBurn(): void
}

function Actions({ state, number, isOpening, onOpen, onBurn }: ActionsProps) {
  const { t } = useTranslation('requests')
  if (state === 'ended' || state === 'tampered') return '–'
  return (
    <div className="actions">
      <button
        type="button"
        className="button"
        aria-label={t('collect.open-of', { number })}
        aria-disabled={isOpening}
        onClick={onOpen}
      >
        {t(isOpening ? 'reveal:open.busy' : 'collect.open')}
      </button>
      {state === 'new' && (
        <ConfirmButton
          label={t('common:burn.confirm')}
          name={t('collect.burn-of', { number })}
          heading={t('common:burn.question')}
          explanation={t('collect.burn-explanation')}
          cancelLabel={t('common:burn.keep')}
          confirmLabel={t('common:burn.confirm')}
          onConfirm={onBurn}
        />
      )}
    </div>
  )
}
