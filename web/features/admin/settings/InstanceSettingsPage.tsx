import { useTranslation } from 'react-i18next'
import { useLoaderData } from 'react-router'
import type { InstanceSettings, Overview, PluginSetting } from '#shared/api'
import type { Policies } from '#shared/policies'
import { Page } from '../../../components/Page.js'
import { loadInstanceSettings, loadOverview, loadPluginSettings, loadPolicies } from '../admin-api.js'
import { LoadError } from '../LoadError.js'
import { type Loaded, loadOrError } from '../load-or-error.js'
import { InstanceSettingsForm } from './InstanceSettingsForm.js'
import { OverviewCard } from './OverviewCard.js'
import { PoliciesCard } from './PoliciesCard.js'

interface Instance {
  settings: InstanceSettings
  ofPlugins: PluginSetting[]
  overview: Overview
  policies: Policies
}

export const loader = loadOrError(async (): Promise<Instance> => {
  const [settings, ofPlugins, overview, { policies }] = await Promise.all([
    loadInstanceSettings(),
    loadPluginSettings(),
    loadOverview(),
    loadPolicies(),
  ])
  return { settings, ofPlugins, overview, policies }
})

export default function InstanceSettingsPage() {
  const { t } = useTranslation('admin')
  const loaded = useLoaderData<Loaded<Instance>>()
  return (
    <Page heading={t('settings.heading')} lede={t('settings.lede')}>
      {'data' in loaded ? (
        <>
          <OverviewCard overview={loaded.data.overview} />
          <InstanceSettingsForm stored={loaded.data.settings} ofPlugins={loaded.data.ofPlugins} />
          <PoliciesCard stored={loaded.data.policies} />
        </>
      ) : (
        <LoadError {...loaded} heading={t('settings.not-loaded')} />
      )}
    </Page>
  )
}
