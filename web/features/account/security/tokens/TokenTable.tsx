import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRevalidator } from 'react-router'
import type { Token } from '#shared/api'
import { ConfirmButton } from '../../../../components/ConfirmButton.js'
import { Outcome } from '../../../../components/Outcome.js'
import { RelativeTime } from '../../../../components/RelativeTime.js'
import { type Column, Table } from '../../../../components/Table.js'
import { formatBytes, isolateLtr, sanitizeName } from '../../../../lib/format.js'
import { language } from '../../../../lib/i18n.js'
import { useAttempt } from '../../../../lib/use-attempt.js'
import { deleteToken } from '../../account-api.js'
import { isNamed, SCOPE_KEYS } from './token-scopes.js'

/** `onDelete` is called before the row with the focus is removed. */
export function TokenTable({ tokens, onDelete }: { tokens: Token[]; onDelete(): void }) {
  const { t } = useTranslation('account')
  const { revalidate } = useRevalidator()
  const [deleted, setDeleted] = useState('')
  const { error, attempt } = useAttempt()
  const remove = async ({ id, name }: Token) => {
    if (!(await attempt(() => deleteToken(id)))) return
    onDelete()
    setDeleted(sanitizeName(name))
    await revalidate()
  }
  const columns: Column<Token>[] = [
    { name: t('tokens.name'), render: ({ name }) => <bdi>{sanitizeName(name)}</bdi> },
    { name: t('tokens.may'), render: (token) => <Permissions token={token} /> },
    { name: t('tokens.expires'), render: ({ expiresAt }) => <RelativeTime at={expiresAt} /> },
    {
      name: t('tokens.used'),
      render: ({ usedAt }) => (usedAt === null ? t('tokens.never') : <RelativeTime at={usedAt} />),
    },
    {
      name: t('tokens.actions'),
      render: (token) => (
        <ConfirmButton
          label={t('tokens.delete')}
          name={t('tokens.delete-of', { name: sanitizeName(token.name) })}
          heading={t('tokens.question')}
          explanation={t('tokens.consequence', { name: sanitizeName(token.name) })}
          cancelLabel={t('tokens.keep')}
          confirmLabel={t('tokens.delete')}
          onConfirm={() => remove(token)}
        />
      ),
    },
  ]
  return (
    <>
      <Outcome message={deleted !== '' && t('tokens.deleted', { name: deleted })} error={error} />
      {tokens.length === 0 ? (
        // This list is inside a card already.
        <p className="muted">{t('tokens.none')}</p>
      ) : (
        <Table name={t('tokens.heading')} columns={columns} items={tokens} getKey={({ id }) => id} />
      )}
    </>
  )
}

/** Scopes and remaining limits. */
function Permissions({ token: { scopes, secretsLeft, bytesLeft, allowedIp } }: { token: Token }) {
  const { t } = useTranslation('account')
  return (
    <ul>
      {scopes.map((scope) => (
        <li key={scope}>{isNamed(scope) ? t(`tokens.scope.${SCOPE_KEYS[scope]}`) : scope}</li>
      ))}
      {secretsLeft !== null && <li>{t('tokens.secrets-left', { count: secretsLeft })}</li>}
      {bytesLeft !== null && <li>{t('tokens.bytes-left', { size: formatBytes(bytesLeft, language) })}</li>}
      {allowedIp !== null && <li>{t('tokens.only-from', { address: isolateLtr(allowedIp) })}</li>}
    </ul>
  )
}
