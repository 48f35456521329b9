import { useTranslation } from 'react-i18next'
import { useLoaderData } from 'react-router'
import type { EndedSecret, OwnSecret } from '#shared/api'
import { listEndedSecrets, listOwnSecrets } from '#shared/client/own-secret-client'
import { Page } from '../../../components/Page.js'
import { type ListPage, loadListPage } from '../../../lib/pagination.js'
import { requireSession } from '../../../lib/session/require-session.js'
import { site } from '../../../lib/site.js'
import { EndedSecretList } from './EndedSecretList.js'
import { LiveSecretList } from './LiveSecretList.js'
import { SecretFilterField } from './SecretFilterField.js'
import { parseSecretFilter, type SecretFilter, toEndedState } from './secret-query.js'

type Loaded =
  | { filter: 'live'; page: ListPage<OwnSecret> }
  | { filter: Exclude<SecretFilter, 'live'>; page: ListPage<EndedSecret> }

/** The user's own secrets: live ones, newest first, or ended ones. */
export const loader = requireSession(async ({ request }): Promise<Loaded> => {
  const filter = parseSecretFilter(new URL(request.url).searchParams)
  const options = { server: site.base }
  if (filter === 'live') return { filter, page: await loadListPage(request, (page) => listOwnSecrets(page, options)) }
  const state = toEndedState(filter)
  return { filter, page: await loadListPage(request, (page) => listEndedSecrets({ ...page, state }, options)) }
})

export default function OwnSecretsPage() {
  const { t } = useTranslation('account')
  const loaded = useLoaderData<Loaded>()
  const lede = loaded.filter === 'live' ? t('secrets.lede') : t('history.lede')
  return (
    <Page wide heading={t('secrets.heading')} lede={lede}>
      <SecretFilterField filter={loaded.filter} />
      {loaded.filter === 'live' ? <LiveSecretList page={loaded.page} /> : <EndedSecretList {...loaded} />}
    </Page>
  )
}
