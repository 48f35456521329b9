import { useTranslation } from 'react-i18next'
import { ConfirmButton } from '../../../../components/ConfirmButton.js'

interface Props {
  name: string
  /** The account has no other factor. */
  isLast: boolean
  onRemove(): void
}

export function RemoveFactorButton({ name, isLast, onRemove }: Props) {
  const { t } = useTranslation('security')
  return (
    <ConfirmButton
      label={t('remove.action')}
      name={t('remove.name', { name })}
      heading={t('remove.question', { name })}
      explanation={t(isLast ? 'remove.last' : 'remove.consequence')}
      cancelLabel={t('account:tokens.keep')}
      confirmLabel={t('remove.action')}
      onConfirm={onRemove}
    />
  )
}
