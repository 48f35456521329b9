import { useTranslation } from 'react-i18next'
import type { OwnSecret } from '#shared/api'
import { Time } from '../../../components/RelativeTime.js'
import type { Column } from '../../../components/Table.js'
import { leftToRight, number, safeName } from '../../../lib/format.js'
import { language } from '../../../lib/i18n.js'
import { ActButton } from '../ConfirmButton.js'

/** What it is called here: sealed secrets have their title inside. */
export const nameOf = ({ id, title }: OwnSecret): string => safeName(title ?? '') || leftToRight(id.slice(0, 12))

/** `onBurn`: with the number of the row. */
export function useColumns(onBurn: (secret: OwnSecret, index: number) => void): Column<OwnSecret>[] {
  const { t } = useTranslation('account')
  return [
    {
      name: t('secrets.secret'),
      cell: (secret) =>
        secret.title === null ? <code dir="ltr">{secret.id.slice(0, 12)}</code> : <bdi>{nameOf(secret)}</bdi>,
    },
    { name: t('secrets.expires'), cell: ({ expiresAt }) => <Time at={expiresAt} /> },
    {
      name: t('secrets.views'),
      cell: ({ maxViews }) => (maxViews === null ? t('secrets.unlimited') : number(maxViews, language)),
    },
    { name: t('secrets.options'), cell: (secret) => <Options secret={secret} /> },
    {
      name: t('secrets.actions'),
      cell: (secret, index) => (
        <ActButton
          label={t('secrets.burn')}
          name={t('secrets.burn-of', { name: nameOf(secret) })}
          heading={t('common:burn.question')}
          explanation={t('secrets.consequence', { name: nameOf(secret) })}
          keep={t('common:burn.keep')}
          act={t('common:burn.confirm')}
          onAct={() => onBurn(secret, index)}
        />
      ),
    },
  ]
}

function Options({ secret: { passwordRequired, files, isPublic, preventBurn } }: { secret: OwnSecret }) {
  const { t } = useTranslation('account')
  return (
    <ul className="badges">
      {passwordRequired && <li className="badge">{t('secrets.password')}</li>}
      {files > 0 && <li className="badge">{t('secrets.files', { count: files })}</li>}
      {isPublic && <li className="badge">{t('secrets.public')}</li>}
      {preventBurn && <li className="badge">{t('secrets.kept')}</li>}
    </ul>
  )
}
