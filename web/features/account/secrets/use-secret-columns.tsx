import { useTranslation } from 'react-i18next'
import type { OwnSecret } from '#shared/api'
import { ConfirmButton } from '../../../components/ConfirmButton.js'
import { RelativeTime } from '../../../components/RelativeTime.js'
import type { Column } from '../../../components/Table.js'
import { formatNumber, isolateLtr, sanitizeName } from '../../../lib/format.js'
import { language } from '../../../lib/i18n.js'

/** The label, the title, or the start of the id: titles of encrypted secrets are encrypted. */
export const secretName = ({ id, title }: OwnSecret, label = ''): string =>
  sanitizeName(label || (title ?? '')) || isolateLtr(id.slice(0, 12))

interface Options {
  /** By id. */
  labels: Map<string, string>
  onEdit(secret: OwnSecret): void
  onBurn(secret: OwnSecret, index: number): void
}

export function useSecretColumns({ labels, onEdit, onBurn }: Options): Column<OwnSecret>[] {
  const { t } = useTranslation('account')
  const nameOf = (secret: OwnSecret) => secretName(secret, labels.get(secret.id))
  return [
    {
      name: t('secrets.secret'),
      render: (secret) =>
        secret.title === null && !labels.has(secret.id) ? (
          <code dir="ltr">{secret.id.slice(0, 12)}</code>
        ) : (
          <bdi>{nameOf(secret)}</bdi>
        ),
    },
    { name: t('secrets.expires'), render: ({ expiresAt }) => <RelativeTime at={expiresAt} /> },
    {
      name: t('secrets.views'),
      render: ({ maxViews }) => (maxViews === null ? t('secrets.unlimited') : formatNumber(maxViews, language)),
    },
    { name: t('secrets.options'), render: (secret) => hasOptions(secret) && <OptionBadges secret={secret} /> },
    {
      name: t('secrets.actions'),
      render: (secret, index) => (
        <div className="actions">
          <button
            type="button"
            className="button"
            aria-label={t('secrets.edit-of', { name: nameOf(secret) })}
            onClick={() => onEdit(secret)}
          >
            {t('secrets.edit')}
          </button>
          <ConfirmButton
            label={t('secrets.burn')}
            name={t('secrets.burn-of', { name: nameOf(secret) })}
            heading={t('common:burn.question')}
            explanation={t('secrets.consequence', { name: nameOf(secret) })}
            cancelLabel={t('common:burn.keep')}
            confirmLabel={t('common:burn.confirm')}
            onConfirm={() => onBurn(secret, index)}
          />
        </div>
      ),
    },
  ]
}

const hasOptions = ({ passwordRequired, files, isPublic, preventBurn }: OwnSecret): boolean =>
  passwordRequired || files > 0 || isPublic || preventBurn

function OptionBadges({ secret: { passwordRequired, files, isPublic, preventBurn } }: { secret: OwnSecret }) {
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
