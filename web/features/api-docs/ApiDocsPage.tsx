import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLoaderData } from 'react-router'
import { Link } from '../../components/Link.js'
import { Page } from '../../components/Page.js'
import { address } from '../../lib/site.js'
import { Code } from './CodeBlock.js'
import { OperationDetails } from './OperationDetails.js'
import type { ApiDocument } from './openapi-document.js'
import { TokenField } from './TokenField.js'

/** Where people get an account, and with it a token. */
const SIGN_IN = '/signin'

/** Made from the document that the server makes from its calls, so that it cannot be out of date. */
export default function ApiDocs() {
  const { t } = useTranslation('api')
  const { server, groups } = useLoaderData<ApiDocument>()
  const [token, setToken] = useState('')
  return (
    <Page wide heading={t('heading')} badge={t('work-in-progress')} lede={t('lede')}>
      <section className="card" aria-labelledby="sign-in">
        <h2 id="sign-in">{t('sign-in.heading')}</h2>
        <p>{t('sign-in.explanation')}</p>
        <Code>{`curl -u "$TOKEN:" '${server}/account'`}</Code>
        <p className="actions">
          <Link className="button primary" to={SIGN_IN}>
            {t('sign-in.action')}
          </Link>
          <a href={address('/api/v1/openapi.json')}>{t('document')}</a>
        </p>
        <TokenField token={token} onChange={setToken} />
      </section>
      {groups.map(({ name, operations }) => (
        <section key={name} className="card calls" aria-label={name}>
          <h2>
            <bdi lang="en">{name}</bdi>
          </h2>
          {operations.map((operation) => (
            <OperationDetails key={operation.operationId} operation={operation} server={server} token={token} />
          ))}
        </section>
      ))}
    </Page>
  )
}
