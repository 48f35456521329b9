import { useTranslation } from 'react-i18next'
import { useLoaderData } from 'react-router'
import type { InstanceSettings, Overview, PluginSetting } from '#shared/api'
import { Page } from '../../../components/Page.js'
import { loadInstanceSettings, loadOverview, loadPluginSettings } from '../admin-api.js'
import { LoadError } from '../LoadError.js'
import { type Loaded, loadOrError } from '../load-or-error.js'
import { InstanceSettingsForm } from './InstanceSettingsForm.js'
import { OverviewCard } from './OverviewCard.js'

interface Instance {
  settings: InstanceSettings
  ofPlugins: PluginSetting[]
  overview: Overview
}

export const loader = loadOrError(async (): Promise<Instance> => {
  const [settings, ofPlugins, overview] = await Promise.all([
    loadInstanceSettings(),
    loadPluginSettings(),
    loadOverview(),
  ])
  return { settings, ofPlugins, overview }
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
        </>
      ) : (
        <LoadError {...loaded} heading={t('settings.not-loaded')} />
      )}
    </Page>
  )
}
