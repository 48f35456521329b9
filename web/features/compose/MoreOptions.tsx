import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Lazy } from '../../components/Lazy.js'
import { useSession } from '../../lib/session/session-store.js'
import { useSettings } from '../../lib/settings.js'
import type { Options } from './draft/draft-store.js'
import { useDraft } from './draft/draft-store.js'
import type { Problems } from './draft/validate-draft.js'
import { senderPart } from './sender-part.js'

interface Props {
  options: Options
  problems: Problems
  change(changed: Partial<Options>): void
}

export function MoreOptions({ options, problems, change }: Props) {
  const { t } = useTranslation('compose')
  const draft = useDraft()
  const { addressRequired } = useSettings().settings.policy
  const [isOpen, setOpen] = useState(draft.isMoreOpen || addressRequired)
  const canNotify = useCanNotify()
  // It is loaded when an option is set.
  const sender = senderPart.current()
  // A field with a problem has to be there to get the focus.
  const hasProblem = Boolean(problems.title || problems.allowedIp)
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
        {!isOpen && sender && <sender.ChosenOptions options={options} canNotify={canNotify} />}
      </summary>
      {(isOpen || hasProblem) && (
        <Lazy part={senderPart}>
          {({ OptionFields }) => (
            <OptionFields options={options} problems={problems} canNotify={canNotify} change={change} />
          )}
        </Lazy>
      )}
    </details>
  )
}

/** Notifications need an account, and a server that sends them or a webhook of the account. */
function useCanNotify(): boolean {
  const isSignedIn = useSession() !== null
  return useSettings().settings.canNotify && isSignedIn
}
