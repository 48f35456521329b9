import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLoaderData, useRevalidator } from 'react-router'
import type { OwnSecret } from '#shared/api'
import { ApiError } from '#shared/client'
import { api } from '../../../api.js'
import { Link } from '../../../parts/Link.js'
import { Page } from '../../../parts/Page.js'
import { paths } from '../../../paths.js'
import { FailureNotice } from '../../people/FailureNotice.js'
import { Table } from '../Table.js'
import { useNextFocus } from '../use-next-focus.js'
import type { OwnList } from './load.js'
import { nameOf, Row } from './Row.js'

export default function OwnSecrets() {
  const { t } = useTranslation('account')
  const { secrets, before, next } = useLoaderData<OwnList>()
  const { revalidate } = useRevalidator()
  const [burned, setBurned] = useState('')
  const [failure, setFailure] = useState<unknown>(null)
  const place = useRef<HTMLDivElement>(null)
  const focusAfter = useNextFocus(secrets, place, 'td > button', 'a')
  const burn = async (secret: OwnSecret, index: number) => {
    setFailure(null)
    try {
      await api.burn(secret.id, {})
    } catch (error) {
      // It ended meanwhile: what was wanted.
      if (!(error instanceof ApiError && error.code === 'secret.not_found')) return setFailure(error)
    }
    setBurned(nameOf(secret))
    focusAfter(index)
    await revalidate()
  }
  const columns = [
    t('secrets.secret'),
    t('secrets.expires'),
    t('secrets.views'),
    t('secrets.options'),
    t('secrets.actions'),
  ]
  return (
    <Page wide heading={t('secrets.heading')} lede={t('secrets.lede')}>
      <p className="status" role="status">
        {burned !== '' && t('secrets.burned', { name: burned })}
      </p>
      <FailureNotice failure={failure} />
      <div ref={place} className="stack">
        {secrets.length === 0 ? (
          <Empty />
        ) : (
          <>
            <Table name={t('secrets.heading')} columns={columns}>
              {secrets.map((secret, index) => (
                <Row key={secret.id} secret={secret} columns={columns} onBurn={() => burn(secret, index)} />
              ))}
            </Table>
            <p>
              <Link className="button" to={paths.home}>
                {t('secrets.new')}
              </Link>
            </p>
          </>
        )}
      </div>
      {(before !== null || next !== null) && (
        <nav className="actions" aria-label={t('secrets.pages')}>
          {before !== null && (
            <Link className="button" to={`?skip=${before}`}>
              {t('secrets.previous')}
            </Link>
          )}
          {next !== null && (
            <Link className="button" to={`?skip=${next}`}>
              {t('secrets.next')}
            </Link>
          )}
        </nav>
      )}
    </Page>
  )
}

function Empty() {
  const { t } = useTranslation('account')
  return (
    <div className="card centered">
      <p>
        <strong>{t('secrets.none')}</strong>
      </p>
      <p className="hint">{t('secrets.none-hint')}</p>
      <p>
        <Link className="button primary" to={paths.home}>
          {t('common:share')}
        </Link>
      </p>
    </div>
  )
}
