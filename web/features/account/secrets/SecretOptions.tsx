import { useTranslation } from 'react-i18next'
import type { OwnSecret } from '#shared/api'

interface Props {
  options: Pick<OwnSecret, 'passwordRequired' | 'files' | 'isPublic' | 'preventBurn'>
}

/** A badge for each option of a secret; nothing without options. */
export function SecretOptions({ options: { passwordRequired, files, isPublic, preventBurn } }: Props) {
  const { t } = useTranslation('account')
  if (!passwordRequired && files === 0 && !isPublic && !preventBurn) return null
  return (
    <ul className="badges">
      {passwordRequired && <li className="badge">{t('secrets.password')}</li>}
      {files > 0 && <li className="badge">{t('secrets.files', { count: files })}</li>}
      {isPublic && <li className="badge">{t('secrets.public')}</li>}
      {preventBurn && <li className="badge">{t('secrets.kept')}</li>}
    </ul>
  )
}
