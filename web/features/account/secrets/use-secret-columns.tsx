import { useTranslation } from 'react-i18next'
import type { OwnSecret } from '#shared/api'
import { ConfirmButton } from '../../../components/ConfirmButton.js'
import { RelativeTime } from '../../../components/RelativeTime.js'
import type { Column } from '../../../components/Table.js'
import { formatViews } from './format-views.js'
import { SecretName } from './SecretName.js'
import { SecretOptions } from './SecretOptions.js'
import { secretName } from './secret-name.js'

export interface SecretColumnOptions {
  /** By id. */
  labels: Map<string, string>
  onShow(secret: OwnSecret): void
  onEdit(secret: OwnSecret): void
  onBurn(secret: OwnSecret, index: number): void
}

export function useSecretColumns({ labels, onShow, onEdit, onBurn }: SecretColumnOptions): Column<OwnSecret>[] {
  const { t } = useTranslation('account')
  const nameOf = (secret: OwnSecret) => secretName(secret, labels.get(secret.id))
  return [
    {
      name: t('secrets.secret'),
      render: (secret) => (
        <>
          <button
            type="button"
            className="name-button"
            aria-label={t('secrets.details-of', { name: nameOf(secret) })}
            onClick={() => onShow(secret)}
          >
            <SecretName id={secret.id} title={secret.title} label={labels.get(secret.id)} />
          </button>
          <SecretOptions options={secret} />
        </>
      ),
    },
    { name: t('secrets.created'), render: ({ createdAt }) => <RelativeTime at={createdAt} /> },
    { name: t('secrets.expires'), render: ({ expiresAt }) => <RelativeTime at={expiresAt} /> },
    {
      name: t('history.views'),
      render: (secret) => (
        <div>
          {formatViews(secret)}
          {secret.receipt?.viewedAt && (
            <p className="hint">
              <RelativeTime at={secret.receipt.viewedAt} />
            </p>
          )}
        </div>
      ),
    },
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
