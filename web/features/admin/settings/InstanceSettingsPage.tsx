import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useLoaderData } from 'react-router'
import type { InstanceSettings, PluginSetting, StorageUsage } from '#shared/api'
import { Page } from '../../../components/Page.js'
import { UsageMeter } from '../../../components/UsageMeter.js'
import { loadInstanceSettings, loadPluginSettings, loadStorageUsage } from '../admin-api.js'
import { LoadError } from '../LoadError.js'
import { type Loaded, loadOrError } from '../load-or-error.js'
import { InstanceSettingsForm } from './InstanceSettingsForm.js'

interface Instance {
  settings: InstanceSettings
  ofPlugins: PluginSetting[]
  usage: StorageUsage
}

export const loader = loadOrError(async (): Promise<Instance> => {
  const [settings, ofPlugins, usage] = await Promise.all([
    loadInstanceSettings(),
    loadPluginSettings(),
    loadStorageUsage(),
  ])
  return { settings, ofPlugins, usage }
})

export default function InstanceSettingsPage() {
  const { t } = useTranslation('admin')
  const loaded = useLoaderData<Loaded<Instance>>()
  return (
    <Page heading={t('settings.heading')} lede={t('settings.lede')}>
      {'data' in loaded ? (
        <>
          <InstanceSettingsForm stored={loaded.data.settings} ofPlugins={loaded.data.ofPlugins} />
          <StorageCard usage={loaded.data.usage} />
        </>
      ) : (
        <LoadError {...loaded} heading={t('settings.not-loaded')} />
      )}
    </Page>
  )
}

function StorageCard({ usage }: { usage: StorageUsage }) {
  const { t } = useTranslation('admin')
  const id = useId()
  return (
    <section className="card" aria-labelledby={id}>
      <h2 id={id}>{t('storage.heading')}</h2>
      <p>
        <UsageMeter {...usage} label={t('storage.heading')} ofLimit={(amounts) => t('storage.used-of', amounts)} />
      </p>
    </section>
  )
}
