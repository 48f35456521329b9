import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from './ConfirmDialog.js'
import { Icon } from './Icon.js'

/** Burns a secret after a confirmation. */
export function BurnButton({ explanation, onBurn }: { explanation: string; onBurn(): void }) {
  const { t } = useTranslation()
  const dialog = useRef<HTMLDialogElement>(null)
  return (
    <>
      <button type="button" className="button danger" onClick={() => dialog.current?.showModal()}>
        <Icon name="flame" />
        {t('burn.action')}
      </button>
      <ConfirmDialog
        dialog={dialog}
        heading={t('burn.question')}
        explanation={explanation}
        cancelLabel={t('burn.keep')}
        confirmLabel={t('burn.confirm')}
        onConfirm={onBurn}
      />
    </>
  )
}
