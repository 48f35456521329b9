import { useTranslation } from 'react-i18next'
import { useLoaderData } from 'react-router'
import type { InstanceSettings, Overview, PluginSetting, PolicyTable } from '#shared/api'
import { Page } from '../../../components/Page.js'
import { UnsavedChangesDialog } from '../../../components/UnsavedChangesDialog.js'
import { loadInstanceSettings, loadOverview, loadPluginSettings, loadPolicies } from '../admin-api.js'
import { LoadError } from '../LoadError.js'
import { type Loaded, loadOrError } from '../load-or-error.js'
import { InstanceSettingsForm } from './InstanceSettingsForm.js'
import { OverviewCard } from './OverviewCard.js'
import { PoliciesCard } from './PoliciesCard.js'
import { PresetsCard } from './PresetsCard.js'
import { useInstanceSettingsForm, useReloadSettings } from './use-instance-settings-form.js'
import { usePoliciesForm } from './use-policies-form.js'

interface Instance {
  settings: InstanceSettings
  ofPlugins: PluginSetting[]
  overview: Overview
  policies: PolicyTable
}

export const loader = loadOrError(async (): Promise<Instance> => {
  const [settings, ofPlugins, overview, policies] = await Promise.all([
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
  const settingsForm = useInstanceSettingsForm(settings, ofPlugins)
  const policiesForm = usePoliciesForm(policies, useReloadSettings())
  const count = settingsForm.changedCount + policiesForm.changedCount
  return (
    <>
      <OverviewCard overview={overview} />
      <InstanceSettingsForm form={settingsForm} />
      <PoliciesCard form={policiesForm} />
      <PresetsCard />
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
