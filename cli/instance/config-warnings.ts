/** Finds settings that have no effect, such as misspelled variables. */
import { envName, isServiceVariable, type Setting } from '#config'
import { type ConfiguredPlugin, loadPlugin } from '#core/runtime'
import { builtIns } from '#plugins'
import { findNearest } from '#shared/edit-distance'
import { lookUp } from '#shared/look-up'

export interface ConfigWarning {
  /** Variable or section. */
  name: string
  message: string
  fix: string
}

/** Variables that are not config settings of the instance. */
const OTHER_VARIABLES = [
  'MAYFLY_CONFIG',
  'MAYFLY_ADMIN_USERNAME',
  'MAYFLY_ADMIN_EMAIL',
  'MAYFLY_ADMIN_PASSWORD_FILE',
  'MAYFLY_SERVER',
  'MAYFLY_PROFILE',
  'MAYFLY_TOKEN',
  'MAYFLY_TOKEN_FILE',
  'MAYFLY_NO_INPUT',
  'MAYFLY_ACCESSIBLE',
]

/** `unusedSections`: sections of the config file for built-in plugins that are not in use. */
export async function listConfigWarnings(
  unusedSections: string[],
  settings: Setting[],
  plugins: ConfiguredPlugin[],
  env: Record<string, string | undefined>,
): Promise<ConfigWarning[]> {
  return [
    ...unusedSections.map((name) => ({
      name,
      message: `section "${name}" has no effect: the plugin "${name}" is not in use`,
      fix: `remove the section, or use the plugin: ${lookUp(USE, name) ?? `add "${name}" to plugins`}`,
    })),
    ...listDoubleVariables(settings, env),
    ...listServiceVariables(settings, env),
    ...(await listUnknownVariables(settings, plugins, env)),
  ]
}

/** The setting that puts a plugin to use. */
const USE: Record<string, string> = {
  ...Object.fromEntries(['sqlite', 'postgres', 'mysql'].map((name) => [name, `storage=${name}`])),
  ...Object.fromEntries(['local-files', 's3'].map((name) => [name, `files=${name}`])),
  redis: 'limits=redis',
  ...Object.fromEntries(['local-auth', 'oidc', 'proxy-auth'].map((name) => [name, `add "${name}" to auth`])),
}

function listDoubleVariables(settings: Setting[], env: Record<string, string | undefined>): ConfigWarning[] {
  const names = settings.map(({ key }) => envName(key)).filter((name) => env[name] && env[`${name}_FILE`])
  return names.map((name) => ({
    name,
    message: `${name} and ${name}_FILE are both set; the file has no effect`,
    fix: `unset ${name} or ${name}_FILE`,
  }))
}

/** One warning for all variables with the name of a setting. */
function listServiceVariables(settings: Setting[], env: Record<string, string | undefined>): ConfigWarning[] {
  const names = settings.map(({ key }) => envName(key)).filter((name) => isServiceVariable(name, env[name]))
  if (names[0] === undefined) return []
  const message = `${names.join(', ')} and other variables of a Kubernetes service have no effect`
  return [{ name: names[0], message, fix: 'set enableServiceLinks: false in the pod, or rename the service' }]
}

async function listUnknownVariables(
  settings: Setting[],
  plugins: ConfiguredPlugin[],
  env: Record<string, string | undefined>,
): Promise<ConfigWarning[]> {
  const known = new Set([...OTHER_VARIABLES, ...settings.flatMap(({ key }) => listVariables(key))])
  const listUnknown = () =>
    Object.keys(env).filter((name) => /^MAYFLY_/.test(name) && !known.has(name) && !isServiceVariable(name, env[name]))
  if (listUnknown().length === 0) return []
  // Variables of plugins that are not in use are known too. Loading these plugins takes time.
  const others = Object.keys(builtIns).filter((name) => !plugins.some(({ plugin }) => plugin.name === name))
  for (const plugin of await Promise.all(others.map((name) => loadPlugin(name, builtIns, '.')))) {
    for (const option of Object.keys(plugin.options.shape)) {
      for (const name of listVariables(`${plugin.name}.${option}`)) known.add(name)
    }
  }
  return listUnknown().map((name) => {
    const near = findNearest(name, known, Math.max(2, Math.floor(name.length / 5)))
    return {
      name,
      message: `${name} is not a setting and has no effect`,
      fix: near ? `did you mean ${near}?` : `unset ${name}; docs/configuration.md lists all variables`,
    }
  })
}

const listVariables = (key: string): string[] => [envName(key), `${envName(key)}_FILE`]
