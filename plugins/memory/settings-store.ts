import type { SettingsStore } from '#core'

export function createSettingsStore(): SettingsStore {
  const settings = new Map<string, string>()
  return {
    getAll: async () => Object.fromEntries(settings),
    async set(values) {
      for (const [name, value] of Object.entries(values)) {
        if (value === null) settings.delete(name)
        else settings.set(name, value)
      }
    },
  }
}
