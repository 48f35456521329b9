/** Names and values of the instance settings of plugins. */

/** Plugin and setting, such as `notes.banner`. Names of Mayfly's own settings do not contain a dot. */
export type PluginSettingName = `${string}.${string}`

/** Numbers are whole numbers. */
export type SettingValue = boolean | number | string

export const isPluginSettingName = (name: string): name is PluginSettingName => name.includes('.')
