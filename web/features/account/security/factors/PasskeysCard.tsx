import { useTranslation } from 'react-i18next'
import type { Factors } from '#shared/api'
import { sanitizeName } from '../../../../lib/format.js'
import { useDeferredState } from '../../../../lib/use-deferred-state.js'
import { FactorCard } from './FactorCard.js'
import { FactorTimes } from './FactorTimes.js'
import { removePasskey } from './factors-api.js'
import { RemoveFactorButton } from './RemoveFactorButton.js'
import { RenamePasskeyDialog } from './RenamePasskeyDialog.js'
import type { FactorActions } from './use-factor-actions.js'

type Passkey = Factors['passkeys'][number]

/** The passkeys of an account that has any factor. */
export function PasskeysCard({ factors, actions }: { factors: Factors; actions: FactorActions }) {
  const { t } = useTranslation('security')
  const { passkeys, authenticator, policy } = factors
  const [renamed, setRenamed] = useDeferredState<Passkey | null>(null)
  const isLast = passkeys.length === 1 && authenticator === null
  return (
    <FactorCard section="passkeys" heading={t('passkeys.heading')} actions={actions}>
      <p className="hint">{t('intro.explanation')}</p>
      {passkeys.length > 0 && (
        <ul className="sessions">
          {passkeys.map((passkey) => (
            <PasskeyItem
              key={passkey.id}
              passkey={passkey}
              isLast={isLast}
              actions={actions}
              onRename={() => setRenamed(passkey)}
            />
          ))}
        </ul>
      )}
      {policy !== 'off' && (
        <p>
          <button type="button" className="button" onClick={() => actions.open('passkey')}>
            {t('passkeys.add')}
          </button>
        </p>
      )}
      {renamed && (
        <RenamePasskeyDialog
          passkey={renamed}
          onRenamed={() => actions.showDone('passkeys', t('account:settings.done'))}
          onClosed={() => setRenamed(null)}
        />
      )}
    </FactorCard>
  )
}

interface ItemProps {
  passkey: Passkey
  /** The account has no other factor. */
  isLast: boolean
  actions: FactorActions
  onRename(): void
}

function PasskeyItem({ passkey, isLast, actions, onRename }: ItemProps) {
  const { t } = useTranslation('security')
  const name = sanitizeName(passkey.name)
  return (
    <li className="between">
      <div>
        <p className="actions">
          <strong>
            <bdi>{name}</bdi>
          </strong>
          {passkey.backedUp && <span className="badge">{t('passkeys.synced')}</span>}
        </p>
        <FactorTimes factor={passkey} />
      </div>
      <div className="actions">
        <button type="button" className="button" aria-label={t('passkeys.rename-of', { name })} onClick={onRename}>
          {t('passkeys.rename')}
        </button>
        <RemoveFactorButton
          name={name}
          isLast={isLast}
          onRemove={() => actions.remove('passkeys', t('remove.done', { name }), () => removePasskey(passkey.id))}
        />
      </div>
    </li>
  )
}
