import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLoaderData } from 'react-router'
import type { InstanceSettings, Overview, PluginSetting, PolicyTable } from '#shared/api'
import { Page } from '../../../components/Page.js'
import { UnsavedChangesDialog } from '../../../components/UnsavedChangesDialog.js'
import { adminApi, loadOverview } from '../admin-api.js'
import { LoadError } from '../LoadError.js'
import { type Loaded, loadOrError } from '../load-or-error.js'
import { InstanceSettingsForm } from './InstanceSettingsForm.js'
import { OverviewCard } from './OverviewCard.js'
import { PoliciesCard } from './PoliciesCard.js'
import { PresetsCard } from './PresetsCard.js'

interface Instance {
  settings: InstanceSettings
  ofPlugins: PluginSetting[]
  overview: Overview
  policies: PolicyTable
}

export const loader = loadOrError(async (): Promise<Instance> => {
  const [settings, ofPlugins, overview, policies] = await Promise.all([
    adminApi.readSettings(),
    adminApi.listPluginSettings(),
    loadOverview(),
    adminApi.readPolicies(),
  ])
  return { settings, ofPlugins, overview, policies }
})

export default function InstanceSettingsPage() {
  const { t } = useTranslation('admin')
  const loaded = useLoaderData<Loaded<Instance>>()
  return (
    <Page heading={t('settings.heading')} lede={t('settings.lede')}>
      {'data' in loaded ? (
        <LoadedInstance {...loaded.data} />
      ) : (
        <LoadError {...loaded} heading={t('settings.not-loaded')} />
      )}
    </Page>
  )
}

/** Two forms, which are saved on their own. Leaving the page asks once about the unsaved changes of both. */
function LoadedInstance({ settings, ofPlugins, overview, policies }: Instance) {
  const { t } = useTranslation('admin')
  const [settingsCount, setSettingsCount] = useState(0)
  const [policiesCount, setPoliciesCount] = useState(0)
  const count = settingsCount + policiesCount
  // A change renders its own form only.
  const cards = useMemo(
    () => (
      <>
        <OverviewCard overview={overview} />
        <InstanceSettingsForm stored={settings} storedOfPlugins={ofPlugins} onChanged={setSettingsCount} />
        <PoliciesCard stored={policies} onChanged={setPoliciesCount} />
        <PresetsCard />
      </>
    ),
    [settings, ofPlugins, overview, policies],
  )
  return (
    <>
      {cards}
      {count > 0 && (
        <UnsavedChangesDialog
          heading={t('leave.heading')}
          explanation={t('leave.explanation', { count })}
          cancelLabel={t('leave.keep')}
          confirmLabel={t('leave.action')}
        />
      )}
    </>
  )
}
