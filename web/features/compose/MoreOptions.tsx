import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isolateLtr } from '../../lib/format.js'
import { useSession } from '../../lib/session/session-store.js'
import { useSettings } from '../../lib/settings.js'
import type { Options } from './draft/draft-store.js'
import { useDraft } from './draft/draft-store.js'
import type { Problems } from './draft/validate-draft.js'
import { loadSender } from './load-sender.js'

const OptionFields = lazy(async () => ({ default: (await loadSender()).OptionFields }))

interface Props {
  options: Options
  problems: Problems
  change(changed: Partial<Options>): void
}

export function MoreOptions({ options, problems, change }: Props) {
  const { t } = useTranslation('home')
  const draft = useDraft()
  const [isOpen, setOpen] = useState(draft.isMoreOpen)
  const canNotify = useCanNotify()
  // A field with a problem has to be there to get the focus.
  const hasText = options.title !== '' || options.allowedIp !== ''
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget }) => {
        draft.isMoreOpen = currentTarget.open
        setOpen(currentTarget.open)
      }}
    >
      <summary>
        {t('more.label')}
        {!isOpen && <Chosen options={options} canNotify={canNotify} />}
      </summary>
      {(isOpen || hasText) && (
        <Suspense>
          <OptionFields options={options} problems={problems} canNotify={canNotify} change={change} />
        </Suspense>
      )}
    </details>
  )
}

/** Notifications need an account, and a server that sends them or a webhook of the account. */
function useCanNotify(): boolean {
  const isSignedIn = useSession() !== null
  return useSettings().settings.canNotify && isSignedIn
}

/** The options that are set, shown while the section is collapsed. */
function Chosen({ options, canNotify }: { options: Options; canNotify: boolean }) {
  const { t } = useTranslation('home')
  const { title, allowedIp, preventBurn, isPublic, notify, receipt } = options
  const chosen = [
    title ? [t('title.label')] : [],
    allowedIp && !isPublic ? [isolateLtr(allowedIp)] : [],
    preventBurn && !isPublic ? [t('keep.label')] : [],
    notify && canNotify ? [t('notify.label')] : [],
    receipt ? [t('receipt.label')] : [],
    isPublic ? [t('public.label')] : [],
  ]
  return chosen.flat().map((each) => (
    <span key={each} className="badge">
      {each}
    </span>
  ))
}
