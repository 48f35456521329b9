import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRevalidator } from 'react-router'
import type { Token } from '#shared/api'
import { bytes, leftToRight, safeName } from '../../../format.js'
import { language } from '../../../i18n.js'
import { FailureNotice } from '../../people/FailureNotice.js'
import { ActButton } from '../ActButton.js'
import { deleteToken } from '../calls.js'
import { Table } from '../Table.js'
import { Time } from '../Time.js'
import { WORDS } from './scopes.js'

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
  const columns = [t('tokens.name'), t('tokens.may'), t('tokens.expires'), t('tokens.used'), t('tokens.actions')]
  return (
    <>
      <p className="status" role="status">
        {deleted !== '' && t('tokens.deleted', { name: deleted })}
      </p>
      <FailureNotice failure={failure} />
      {tokens.length === 0 ? (
        <p className="muted">{t('tokens.none')}</p>
      ) : (
        <Table name={t('tokens.heading')} columns={columns}>
          {tokens.map((token) => (
            <Row key={token.id} token={token} columns={columns} onDelete={() => remove(token)} />
          ))}
        </Table>
      )}
    </>
  )
}

function Row({ token, columns, onDelete }: { token: Token; columns: string[]; onDelete(): void }) {
  const { t } = useTranslation('account')
  const { scopes, expiresAt, usedAt, secretsLeft, bytesLeft, allowedIp } = token
  const name = safeName(token.name)
  return (
    <tr>
      <th scope="row">
        <bdi>{name}</bdi>
      </th>
      <td data-label={columns[1]}>
        <ul>
          {scopes.map((scope) => (
            <li key={scope}>{t(`tokens.scope.${WORDS[scope]}`)}</li>
          ))}
          {secretsLeft !== null && <li>{t('tokens.secrets-left', { count: secretsLeft })}</li>}
          {bytesLeft !== null && <li>{t('tokens.bytes-left', { size: bytes(bytesLeft, language) })}</li>}
          {allowedIp !== null && <li>{t('tokens.only-from', { address: leftToRight(allowedIp) })}</li>}
        </ul>
      </td>
      <td data-label={columns[2]}>
        <Time at={expiresAt} />
      </td>
      <td data-label={columns[3]}>{usedAt === null ? t('tokens.never') : <Time at={usedAt} />}</td>
      <td data-label={columns[4]}>
        <ActButton
          label={t('tokens.delete')}
          name={t('tokens.delete-of', { name })}
          heading={t('tokens.question')}
          explanation={t('tokens.consequence', { name })}
          keep={t('tokens.keep')}
          act={t('tokens.delete')}
          onAct={onDelete}
        />
      </td>
    </tr>
  )
}
