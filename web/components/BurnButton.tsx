import { useTranslation } from 'react-i18next'
import { useDeferredState } from '../lib/use-deferred-state.js'
import { ConfirmDialog } from './ConfirmDialog.js'
import { Icon } from './Icon.js'

interface Props {
  explanation: string
  /** Beside a button that users press more often. */
  isQuiet?: boolean
  onBurn(): void
}

/** Burns a secret after a confirmation. */
export function BurnButton({ explanation, isQuiet, onBurn }: Props) {
  const { t } = useTranslation()
  const [isAsking, setAsking] = useDeferredState(false)
  return (
    <>
      <button
        type="button"
        className={isQuiet ? 'button danger quiet' : 'button danger'}
        onClick={() => setAsking(true)}
      >
        <Icon name="flame" />
        {t('burn.action')}
      </button>
      {isAsking && (
        <ConfirmDialog
          heading={t('burn.question')}
          explanation={explanation}
          cancelLabel={t('burn.keep')}
          confirmLabel={t('burn.confirm')}
          onConfirm={onBurn}
          onClosed={() => setAsking(false)}
        />
      )}
    </>
  )
}
