import { useTranslation } from 'react-i18next'
import type { LinkProblem } from '#shared/link'
import { CodeField } from '../../forms/InputField.js'

interface Props {
  value: string
  problem: LinkProblem | null
  onChange(value: string): void
}

/** Takes a key, or a whole link. */
export function KeyField({ value, problem, onChange }: Props) {
  const { t } = useTranslation('reveal')
  return (
    <CodeField
      label={t('key.label')}
      hint={t('key.hint')}
      error={problem && t(`key.${problem}`)}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}
