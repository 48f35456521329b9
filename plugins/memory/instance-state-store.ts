import type { InstanceStateStore } from '#core'

export function createInstanceStateStore(): InstanceStateStore {
  const state = new Map<string, string>()
  return {
    get: async (name) => state.get(name) ?? null,
    set: async (name, value) => void state.set(name, value),
    delete: async (name) => void state.delete(name),
  }
}
