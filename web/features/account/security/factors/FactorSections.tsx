import { useTranslation } from 'react-i18next'
import type { Factors } from '#shared/api'
import { ConfirmButton } from '../../../../components/ConfirmButton.js'
import { AddPasskeyDialog } from './AddPasskeyDialog.js'
import { AuthenticatorDialog } from './AuthenticatorDialog.js'
import { FactorCard } from './FactorCard.js'
import { FactorTimes } from './FactorTimes.js'
import { removeAuthenticator } from './factors-api.js'
import { PasskeysCard } from './PasskeysCard.js'
import { RecoveryCodesDialog } from './RecoveryCodesDialog.js'
import { RemoveFactorButton } from './RemoveFactorButton.js'
import { type FactorActions, useFactorActions } from './use-factor-actions.js'

interface Props {
  factors: Factors
  /** Name for a passkey of this device. */
  suggestedName: string
}

/** Passkeys, authenticator app and recovery codes; for accounts without any, an introduction. */
export function FactorSections({ factors, suggestedName }: Props) {
  const { t } = useTranslation('security')
  const actions = useFactorActions(factors)
  const { passkeys, authenticator, policy } = factors
  const hasFactor = passkeys.length > 0 || authenticator !== null
  const isOff = policy === 'off'
  return (
    <>
      {!hasFactor && !isOff && <Introduction actions={actions} />}
      {hasFactor && (
        <>
          <PasskeysCard factors={factors} actions={actions} />
          {(authenticator || !isOff) && <AuthenticatorCard factors={factors} actions={actions} />}
          <RecoveryCodesCard count={factors.recoveryCodes} actions={actions} />
        </>
      )}
      {actions.dialog === 'passkey' && (
        <AddPasskeyDialog
          suggestedName={suggestedName}
          onAdded={(name, codes) => actions.showDone('passkeys', t('passkeys.added', { name }), codes)}
          onClosed={actions.close}
        />
      )}
      {actions.dialog === 'authenticator' && (
        <AuthenticatorDialog
          onAdded={(codes) => actions.showDone('authenticator', t('authenticator.added'), codes)}
          onClosed={actions.close}
        />
      )}
      {actions.codes && <RecoveryCodesDialog codes={actions.codes} onClosed={actions.closeCodes} />}
    </>
  )
}

function Introduction({ actions }: { actions: FactorActions }) {
  const { t } = useTranslation('security')
  return (
    <FactorCard section="introduction" heading={t('intro.heading')} actions={actions}>
      <p className="hint">{t('intro.explanation')}</p>
      <p className="actions">
        <button type="button" className="button primary" onClick={() => actions.open('passkey')}>
          {t('passkeys.add')}
        </button>
        <button type="button" className="button" onClick={() => actions.open('authenticator')}>
          {t('authenticator.set-up')}
        </button>
      </p>
    </FactorCard>
  )
}

function AuthenticatorCard({ factors, actions }: { factors: Factors; actions: FactorActions }) {
  const { t } = useTranslation('security')
  const { authenticator, passkeys } = factors
  const name = t('authenticator.heading')
  return (
    <FactorCard section="authenticator" heading={name} actions={actions}>
      {authenticator ? (
        <div className="between">
          <FactorTimes factor={authenticator} />
          <RemoveFactorButton
            name={name}
            isLast={passkeys.length === 0}
            onRemove={() => actions.remove('authenticator', t('remove.done', { name }), removeAuthenticator)}
          />
        </div>
      ) : (
        <>
          <p className="hint">{t('authenticator.explanation')}</p>
          <p>
            <button type="button" className="button" onClick={() => actions.open('authenticator')}>
              {t('authenticator.set-up')}
            </button>
          </p>
        </>
      )}
    </FactorCard>
  )
}

function RecoveryCodesCard({ count, actions }: { count: number; actions: FactorActions }) {
  const { t } = useTranslation('security')
  return (
    <FactorCard section="recovery-codes" heading={t('codes.heading')} actions={actions}>
      <p className="hint">{t('codes.explanation')}</p>
      <div className="between">
        <strong>{t('codes.left', { count })}</strong>
        <ConfirmButton
          label={t('codes.new')}
          name={t('codes.new')}
          heading={t('codes.new')}
          explanation={t('codes.consequence')}
          cancelLabel={t('account:tokens.cancel')}
          confirmLabel={t('codes.new')}
          isDangerous={false}
          onConfirm={actions.replaceCodes}
        />
      </div>
    </FactorCard>
  )
}
