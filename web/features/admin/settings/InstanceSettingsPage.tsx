import { useTranslation } from 'react-i18next'
import { useLoaderData } from 'react-router'
import type { InstanceSettings } from '#shared/api'
import { Page } from '../../../components/Page.js'
import { loadInstanceSettings } from '../admin-api.js'
import { LoadError } from '../LoadError.js'
import { type Loaded, loadOrError } from '../load-or-error.js'
import { InstanceSettingsForm } from './InstanceSettingsForm.js'

export const loader = loadOrError(loadInstanceSettings)

export default function InstanceSettingsPage() {
  const { t } = useTranslation('admin')
  const loaded = useLoaderData<Loaded<InstanceSettings>>()
  return (
    <Page heading={t('settings.heading')} lede={t('settings.lede')}>
      {'data' in loaded ? (
        <InstanceSettingsForm stored={loaded.data} />
      ) : (
        <LoadError {...loaded} heading={t('settings.not-loaded')} />
      )}
    </Page>
  )
}
