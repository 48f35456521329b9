/**
 * Loads settings from four sources: defaults < file < environment (and NAME_FILE) < flags. Records the origin of each
 * value.
 */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { z } from 'zod'
import { describeIssue } from '#shared/describe-issue'
import { findNearest } from '#shared/edit-distance'
import { readText } from './read-text.js'
import { isServiceVariable } from './service-variables.js'
import { findSyntaxErrorLine } from './syntax-error-line.js'

/** Sources, lowest precedence first. Keys are dotted: `port`, `sqlite.file`. */
export interface Sources {
  /** Path of the config file. It may be missing unless `required`. */
  file: { path: string; required: boolean }
  env: Record<string, string | undefined>
  flags: Record<string, string>
  /** The option of a flag, by key, such as `--port`. Default: `--set KEY`. */
  options?: Record<string, string>
  /** Folder that relative paths of files start from. Default: the folder of the process. */
  cwd?: string
}

export interface Setting {
  key: string
  value: unknown
  origin: string
  schema: z.ZodType
}

/** A resolved section. `values` is absent if there are problems. */
export interface Section<T> {
  values?: T
  settings: Setting[]
  problems: string[]
}

export interface Config {
  /** Path of the config file, or null if there is none. */
  file: string | null
  /** Resolves a section. `name` is null for the core settings. */
  section<S extends z.ZodObject>(name: string | null, schema: S): Section<z.output<S>>
  /** Sets a value that follows from the setting `origin`. Returns a problem if it is set to another value, or null. */
  setImplied(key: string, value: string, origin: string): string | null
  /** Returns the names that are unresolved sections of the file. `listProblems` does not report them. */
  takeUnusedSections(names: string[]): string[]
  /** Problems of the sources: an unreadable file, and keys that no resolved section has. */
  listProblems(): string[]
}

interface Found {
  value: unknown
  origin: string
}

/** Reads the sources. Collects problems instead of throwing, so that all are reported at once. */
export function loadConfig({ file, env, flags, options = {}, cwd = '.' }: Sources): Config {
  const problems: string[] = []
  const tree = readFile(file, cwd, problems)
  const known = new Set<string>()
  const flagged = new Map(Object.entries(flags))
  const implied = new Map<string, Found>()

  function find(key: string): Found | undefined {
    return implied.get(key) ?? findGiven(key)
  }

  function findGiven(key: string): Found | undefined {
    const flag = flagged.get(key)
    if (flag !== undefined) return { value: flag, origin: options[key] ?? `--set ${key}` }
    const name = envName(key)
    const path = env[`${name}_FILE`]
    // An empty variable counts as unset: Compose files pass one for every variable that is not set.
    if (env[name] && !isServiceVariable(name, env[name])) return { value: env[name], origin: name }
    if (path) return { value: readSecretFile(path, cwd, `${name}_FILE`, problems), origin: `${name}_FILE` }
    const value = key.split('.').reduce<unknown>((at, part) => (isObject(at) ? at[part] : undefined), tree)
    return value === undefined ? undefined : { value, origin: file.path }
  }

  function section<S extends z.ZodObject>(name: string | null, schema: S): Section<z.output<S>> {
    const prefix = name === null ? '' : `${name}.`
    if (name !== null) known.add(name)
    const found = Object.keys(schema.shape).map((option) => {
      known.add(prefix + option)
      return [option, find(prefix + option)] as const
    })
    const input = Object.fromEntries(found.flatMap(([option, hit]) => (hit ? [[option, hit.value]] : [])))
    // Without the code that zod would generate for later parses.
    const parsed = schema.safeParse(input, { jitless: true })
    const settings = found.map(([option, hit]) => ({
      key: prefix + option,
      value: parsed.success ? parsed.data[option] : hit?.value,
      origin: hit?.origin ?? 'default',
      schema: schema.shape[option] as z.ZodType,
    }))
    if (parsed.success) return { values: parsed.data as z.output<S>, settings, problems: [] }
    return { settings, problems: parsed.error.issues.map((issue) => describe(issue, prefix, find)) }
  }

  function setImplied(key: string, value: string, origin: string): string | null {
    const given = findGiven(key)
    if (given && given.value !== value)
      return `${key}: is not what ${origin} asks for; leave one of them out (${given.origin})`
    implied.set(key, { value, origin })
    return null
  }

  const listProblems = () => [
    ...problems,
    ...[...flagged.keys()].flatMap((key) => describeUnknown(key, `--set ${key}`, known)),
    ...keysOf(tree, known).flatMap((key) => describeUnknown(key, file.path, known)),
  ]
  const takeUnusedSections = (names: string[]) => takeSections(tree, (key) => names.includes(key) && !known.has(key))
  return { file: tree === undefined ? null : file.path, section, setImplied, takeUnusedSections, listProblems }
}

/** `sqlite.file` -> `MAYFLY_SQLITE_FILE`, `publicUrl` -> `MAYFLY_PUBLIC_URL`. */
export function envName(key: string): string {
  return `MAYFLY_${key
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[.-]/g, '_')
    .toUpperCase()}`
}

/** Does not contain the value, which may be a secret. */
function describe(issue: z.core.$ZodIssue, prefix: string, find: (key: string) => Found | undefined): string {
  const key = prefix + String(issue.path[0] ?? '')
  const origin = find(key)?.origin ?? `set it in mayfly.config.json or as ${envName(key)}`
  return `${key}: ${describeIssue(issue)} (${origin})`
}

/** Returns nothing for a known key. */
function describeUnknown(key: string, origin: string, known: Set<string>): string[] {
  if (known.has(key)) return []
  const sameLetters = [...known].find((name) => name.toLowerCase() === key.toLowerCase())
  const near = sameLetters ?? findNearest(key, known, Math.max(2, Math.floor(key.length / 5)))
  return [`${key} is not a setting (${origin})${near === undefined ? '' : `; did you mean ${near}?`}`]
}

function readFile({ path, required }: Sources['file'], cwd: string, problems: string[]): unknown {
  const place = resolve(cwd, path)
  if (path === '' || !existsSync(place)) {
    if (required) problems.push(`The config file ${path} does not exist.`)
    return undefined
  }
  let text = ''
  try {
    text = readText(place)
    const tree: unknown = JSON.parse(text)
    if (isObject(tree)) return tree
  } catch (error) {
    const line = error instanceof SyntaxError ? `, line ${findSyntaxErrorLine(error, text)}` : ''
    // Without the parser's message, which may quote a password.
    problems.push(`The config file ${path} could not be read: ${reason(error)}${line}.`)
    return undefined
  }
  problems.push(`The config file ${path} does not hold a JSON object.`)
  return undefined
}

function readSecretFile(path: string, cwd: string, name: string, problems: string[]): string | undefined {
  try {
    return readText(resolve(cwd, path)).replace(/\r?\n$/, '')
  } catch (error) {
    const problem = `${name}: ${path} could not be read: ${reason(error)}`
    if (!problems.includes(problem)) problems.push(problem)
    return undefined
  }
}

function reason(error: unknown): string {
  return error instanceof SyntaxError ? 'it is not valid JSON' : String((error as NodeJS.ErrnoException).code)
}

/** Removes the selected sections from the tree and returns their names. */
function takeSections(tree: unknown, isSelected: (key: string) => boolean): string[] {
  if (!isObject(tree)) return []
  const found = Object.keys(tree).filter((key) => isObject(tree[key]) && isSelected(key))
  for (const key of found) delete tree[key]
  return found
}

/** All keys of the file. A section without a plugin is one key. */
function keysOf(tree: unknown, known: Set<string>): string[] {
  if (!isObject(tree)) return []
  return Object.entries(tree).flatMap(([key, value]) =>
    known.has(key) && isObject(value) ? Object.keys(value).map((option) => `${key}.${option}`) : [key],
  )
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
