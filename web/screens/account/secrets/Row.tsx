import { useTranslation } from 'react-i18next'
import type { OwnSecret } from '#shared/api'
import { leftToRight, number, safeName } from '../../../format.js'
import { language } from '../../../i18n.js'
import { ActButton } from '../ActButton.js'
import { Time } from '../Time.js'

/** What it is called here: sealed secrets have their title inside. */
export const nameOf = ({ id, title }: OwnSecret): string => safeName(title ?? '') || leftToRight(id.slice(0, 12))

export function Row({ secret, columns, onBurn }: { secret: OwnSecret; columns: string[]; onBurn(): void }) {
  const { t } = useTranslation('account')
  const { id, title, expiresAt, maxViews } = secret
  const name = nameOf(secret)
  return (
    <tr>
      <th scope="row">{title === null ? <code dir="ltr">{id.slice(0, 12)}</code> : <bdi>{name}</bdi>}</th>
      <td data-label={columns[1]}>
        <Time at={expiresAt} />
      </td>
      <td data-label={columns[2]}>{maxViews === null ? t('secrets.unlimited') : number(maxViews, language)}</td>
      <td data-label={columns[3]}>
        <Options secret={secret} />
      </td>
      <td data-label={columns[4]}>
        <ActButton
          label={t('secrets.burn')}
          name={t('secrets.burn-of', { name })}
          heading={t('common:burn.question')}
          explanation={t('secrets.consequence', { name })}
          keep={t('common:burn.keep')}
          act={t('common:burn.confirm')}
          onAct={onBurn}
        />
      </td>
    </tr>
  )
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
