import { useTranslation } from 'react-i18next'
import { generatePath, useLoaderData, useParams } from 'react-router'
import type { PublicSecret } from '#shared/api'
import { moment, relative, safeName } from '../../format.js'
import { language } from '../../i18n.js'
import { Link } from '../../parts/Link.js'
import { Page } from '../../parts/Page.js'
import { paths } from '../../paths.js'
import { before, type PublicList } from './load.js'

export default function Public() {
  const { t } = useTranslation('public')
  const { username } = useParams()
  const { secrets, skip, next } = useLoaderData<PublicList>()
  const heading = username === undefined ? t('heading') : t('heading-of', { username: safeName(username) })
  return (
    <Page wide heading={heading} lede={t('lede')}>
      {secrets.length > 0 ? <Table heading={heading} secrets={secrets} /> : <Empty username={username} />}
      {(skip > 0 || next !== null) && (
        <nav className="actions" aria-label={t('pages')}>
          {skip > 0 && (
            <Link className="button" to={`?skip=${before(skip)}`}>
              {t('previous')}
            </Link>
          )}
          {next !== null && (
            <Link className="button" to={`?skip=${next}`}>
              {t('next')}
            </Link>
          )}
        </nav>
      )}
    </Page>
  )
}

function Table({ heading, secrets }: { heading: string; secrets: PublicSecret[] }) {
  const { t } = useTranslation('public')
  const columns = [t('title'), t('by'), t('expires')] as const
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, and keys must reach it
    <section className="table-box" tabIndex={0} aria-label={heading}>
      <table>
        <caption className="only-read">{heading}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {secrets.map((secret) => (
            <Row key={secret.id} columns={columns} secret={secret} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Row({ secret, columns }: { secret: PublicSecret; columns: readonly [string, string, string] }) {
  const { t } = useTranslation('public')
  const { id, title, username, expiresAt } = secret
  const name = safeName(title ?? '')
  return (
    <tr>
      <th scope="row">
        <Link to={generatePath(paths.secret, { secretId: id })}>
          <bdi>{name || t('untitled', { id: id.slice(0, 8) })}</bdi>
        </Link>
      </th>
      <td data-label={columns[1]}>
        {username === null ? (
          t('anonymous')
        ) : (
          <Link to={generatePath(paths.publicOf, { username })}>
            <bdi>{safeName(username)}</bdi>
          </Link>
        )}
      </td>
      <td data-label={columns[2]}>
        <time dateTime={new Date(expiresAt).toISOString()} title={moment(expiresAt, language)}>
          {relative(expiresAt, Date.now(), language)}
        </time>
      </td>
    </tr>
  )
}

function Empty({ username }: { username: string | undefined }) {
  const { t } = useTranslation('public')
  return (
    <div className="card centered">
      <p>
        <strong>{username === undefined ? t('empty') : t('empty-of', { username: safeName(username) })}</strong>
      </p>
      <p className="hint">{t('empty-hint')}</p>
      <p>
        <Link className="button primary" to={paths.home}>
          {t('common:share')}
        </Link>
      </p>
    </div>
  )
}
