import { useTranslation } from 'react-i18next'
import { useLoaderData } from 'react-router'
import type { InstanceSettings as Settings } from '#shared/api'
import { Page } from '../../../components/Page.js'
import { NotShown } from '../LoadError.js'
import type { Loaded } from '../load-or-error.js'
import { SettingsForm } from './InstanceSettingsForm.js'

export default function InstanceSettings() {
  const { t } = useTranslation('admin')
  const loaded = useLoaderData<Loaded<Settings>>()
  return (
    <Page heading={t('settings.heading')} lede={t('settings.lede')}>
      {'data' in loaded ? (
        <SettingsForm stored={loaded.data} />
      ) : (
        <NotShown {...loaded} heading={t('settings.not-loaded')} />
      )}
    </Page>
  )
}
