import type { PropsWithChildren } from 'react'
import { DraftContext, type DraftStore } from '../features/compose/draft/draft-store.js'
import { type LoadedSettings, SettingsProvider } from '../lib/settings.js'

interface Props {
  settings: LoadedSettings
  draft: DraftStore
}

/** The state that pages share. */
export function Providers({ settings, draft, children }: PropsWithChildren<Props>) {
  return (
    <SettingsProvider initial={settings}>
      <DraftContext value={draft}>{children}</DraftContext>
    </SettingsProvider>
  )
}
