import { useTranslation } from 'react-i18next'
import type { OwnSecret } from '#shared/api'
import { ConfirmButton } from '../../../components/ConfirmButton.js'
import { RelativeTime } from '../../../components/RelativeTime.js'
import type { Column } from '../../../components/Table.js'
import { formatNumber, isolateLtr, sanitizeName } from '../../../lib/format.js'
import { language } from '../../../lib/i18n.js'

/** The title, or the start of the id: titles of encrypted secrets are encrypted. */
export const secretName = ({ id, title }: OwnSecret): string => sanitizeName(title ?? '') || isolateLtr(id.slice(0, 12))

/** `onBurn` gets the index of the row. */
export function useSecretColumns(onBurn: (secret: OwnSecret, index: number) => void): Column<OwnSecret>[] {
  const { t } = useTranslation('account')
  return [
    {
      name: t('secrets.secret'),
      render: (secret) =>
        secret.title === null ? <code dir="ltr">{secret.id.slice(0, 12)}</code> : <bdi>{secretName(secret)}</bdi>,
    },
    { name: t('secrets.expires'), render: ({ expiresAt }) => <RelativeTime at={expiresAt} /> },
    {
      name: t('secrets.views'),
      render: ({ maxViews }) => (maxViews === null ? t('secrets.unlimited') : formatNumber(maxViews, language)),
    },
    { name: t('secrets.options'), render: (secret) => <Options secret={secret} /> },
    {
      name: t('secrets.actions'),
      render: (secret, index) => (
        <ConfirmButton
          label={t('secrets.burn')}
          name={t('secrets.burn-of', { name: secretName(secret) })}
          heading={t('common:burn.question')}
          explanation={t('secrets.consequence', { name: secretName(secret) })}
          cancelLabel={t('common:burn.keep')}
          confirmLabel={t('common:burn.confirm')}
          onConfirm={() => onBurn(secret, index)}
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
