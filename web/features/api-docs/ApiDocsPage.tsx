import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLoaderData } from 'react-router'
import { limitResponses } from '#shared/client/response-limit'
import { Link } from '../../components/Link.js'
import { Page } from '../../components/Page.js'
import { accountPaths } from '../../lib/account-paths.js'
import { paths } from '../../lib/paths.js'
import { useSession } from '../../lib/session/session-store.js'
import { linkBase, withBase } from '../../lib/site.js'
import { CodeBlock } from './CodeBlock.js'
import { GroupList, groupId } from './GroupList.js'
import { OperationDetails } from './OperationDetails.js'
import { type ApiDocument, readApiDocument } from './openapi-document.js'
import { TokenField } from './TokenField.js'

export async function loader(): Promise<ApiDocument> {
  const response = await limitResponses(fetch)(withBase('/api/v1/openapi.json'))
  // The error page shows the status of a thrown response.
  if (!response.ok) throw response
  return readApiDocument(await response.json(), `${linkBase()}/api/v1`)
}

/** API reference, rendered from the OpenAPI document of the server. */
export default function ApiDocsPage() {
  const { t } = useTranslation('api-docs')
  const { server, groups } = useLoaderData<ApiDocument>()
  const [token, setToken] = useState('')
  const isSignedIn = useSession() !== null
  return (
    <Page wide heading={t('heading')} badge={t('work-in-progress')} lede={t('lede')}>
      <section className="card" aria-labelledby="sign-in">
        <h2 id="sign-in">{t('sign-in.heading')}</h2>
        <p>{t('sign-in.explanation')}</p>
        <CodeBlock>{`curl -u "$TOKEN:" '${server}/account'`}</CodeBlock>
        <p className="actions">
          <Link className="button primary" to={isSignedIn ? accountPaths.security : paths.signIn}>
            {t(isSignedIn ? 'sign-in.token' : 'sign-in.action')}
          </Link>
          <a href={withBase('/api/v1/openapi.json')}>{t('document')}</a>
        </p>
        <TokenField token={token} onChange={setToken} />
      </section>
      <div className="reference">
        <GroupList names={groups.map(({ name }) => name)} />
        <div className="stack">
          {groups.map(({ name, operations }, index) => (
            <section key={name} className="card calls" aria-label={name}>
              <h2 id={groupId(index)} tabIndex={-1}>
                <bdi lang="en">{name}</bdi>
              </h2>
              {operations.map((operation) => (
                <OperationDetails key={operation.operationId} operation={operation} server={server} token={token} />
              ))}
            </section>
          ))}
        </div>
      </div>
    </Page>
  )
}
