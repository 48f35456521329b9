import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRevalidator } from 'react-router'
import type { Token } from '#shared/api'
import { FailureNotice } from '../../../components/ErrorNotice.js'
import { Time } from '../../../components/RelativeTime.js'
import { type Column, Table } from '../../../components/Table.js'
import { bytes, leftToRight, safeName } from '../../../lib/format.js'
import { language } from '../../../lib/i18n.js'
import { deleteToken } from '../account-api.js'
import { ActButton } from '../ConfirmButton.js'
import { WORDS } from './token-scopes.js'

/** `onDelete`: the row that had the focus is going away. */
export function TokenTable({ tokens, onDelete }: { tokens: Token[]; onDelete(): void }) {
  const { t } = useTranslation('account')
  const { revalidate } = useRevalidator()
  const [deleted, setDeleted] = useState('')
  const [failure, setFailure] = useState<unknown>(null)
  const remove = async ({ id, name }: Token) => {
    setFailure(null)
    try {
      await deleteToken(id)
    } catch (error) {
      return setFailure(error)
    }
    onDelete()
    setDeleted(safeName(name))
    await revalidate()
  }
  const columns: Column<Token>[] = [
    { name: t('tokens.name'), cell: ({ name }) => <bdi>{safeName(name)}</bdi> },
    { name: t('tokens.may'), cell: (token) => <Rights token={token} /> },
    { name: t('tokens.expires'), cell: ({ expiresAt }) => <Time at={expiresAt} /> },
    { name: t('tokens.used'), cell: ({ usedAt }) => (usedAt === null ? t('tokens.never') : <Time at={usedAt} />) },
    {
      name: t('tokens.actions'),
      cell: (token) => (
        <ActButton
          label={t('tokens.delete')}
          name={t('tokens.delete-of', { name: safeName(token.name) })}
          heading={t('tokens.question')}
          explanation={t('tokens.consequence', { name: safeName(token.name) })}
          keep={t('tokens.keep')}
          act={t('tokens.delete')}
          onAct={() => remove(token)}
        />
      ),
    },
  ]
  return (
    <>
      <p className="status" role="status">
        {deleted !== '' && t('tokens.deleted', { name: deleted })}
      </p>
      <FailureNotice failure={failure} />
      {tokens.length === 0 ? (
        <p className="muted">{t('tokens.none')}</p>
      ) : (
        <Table name={t('tokens.heading')} columns={columns} items={tokens} keyOf={({ id }) => id} />
      )}
    </>
  )
}

/** What it may do, and what is left of that. */
function Rights({ token: { scopes, secretsLeft, bytesLeft, allowedIp } }: { token: Token }) {
  const { t } = useTranslation('account')
  return (
    <ul>
      {scopes.map((scope) => (
        <li key={scope}>{t(`tokens.scope.${WORDS[scope]}`)}</li>
      ))}
      {secretsLeft !== null && <li>{t('tokens.secrets-left', { count: secretsLeft })}</li>}
      {bytesLeft !== null && <li>{t('tokens.bytes-left', { size: bytes(bytesLeft, language) })}</li>}
      {allowedIp !== null && <li>{t('tokens.only-from', { address: leftToRight(allowedIp) })}</li>}
    </ul>
  )
}
