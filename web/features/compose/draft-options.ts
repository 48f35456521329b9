/** What someone is about to share. Kept in memory only, until it is sent or the page is left. */
import type { PublicSettings } from '#shared/api'
import { PASSWORD_MAX, TITLE_MAX } from '#shared/limits'
import { secondsOf, type Unit } from '../../lib/format.js'
import { type Attached, type FilesProblem, fileProblem } from './files/attached-files.js'
import { isAddress } from './ip-range.js'

type Limits = PublicSettings['limits']

/** The options as the form holds them. */
export interface Options {
  /** Seconds, or the custom amount below. */
  ttl: number | 'custom'
  amount: string
  unit: Unit
  views: string
  password: string
  title: string
  allowedIp: string
  preventBurn: boolean
  isPublic: boolean
}

/** The fields, named as the API names them. */
export type FieldName = 'text' | 'files' | 'ttl' | 'maxViews' | 'password' | 'title' | 'allowedIp'
export type Problem =
  | ('empty' | 'empty-public' | 'too-large' | 'half-character')
  | (FilesProblem | 'unreadable')
  | ('out-of-range' | 'not-an-address' | 'not-a-line')
/** A problem that the page knows words for, or the server's own words. */
export type Problems = Partial<Record<FieldName, { problem: Problem } | { message: string }>>

const DAY_S = 86_400
const PRESETS_S = [300, 1800, 3600, 4 * 3600, 12 * 3600, DAY_S, 3 * DAY_S, 7 * DAY_S, 14 * DAY_S, 28 * DAY_S]

const FRESH: Options = {
  ttl: DAY_S,
  amount: '2',
  unit: 'hour',
  views: '1',
  password: '',
  title: '',
  allowedIp: '',
  preventBurn: false,
  isPublic: false,
}

interface Kept {
  text: string
  files: Attached[]
  options: Options
  isMoreOpen: boolean
  caret: [number, number] | null
}

/** The text, the files and their options while other screens show. `caret`: where typing began before the app was there. */
export let kept = fresh()

export function forget(): void {
  kept = fresh()
}

function fresh(): Kept {
  return { text: '', files: [], options: FRESH, isMoreOpen: false, caret: null }
}

/** Takes over what was typed into the page before the app was there. To be called when the app takes its place. */
export function adoptEarlyText(): void {
  const field = document.getElementById('early-text')
  if (!(field instanceof HTMLTextAreaElement)) return
  kept.text = field.value
  if (document.activeElement === field) kept.caret = [field.selectionStart, field.selectionEnd]
}

export const presets = ({ ttlMin, ttlMax }: Limits): number[] =>
  PRESETS_S.filter((seconds) => seconds >= ttlMin && seconds <= ttlMax)

/** Seconds; NaN when the custom amount is not a whole number. */
export function ttlOf({ ttl, amount, unit }: Options): number {
  if (ttl !== 'custom') return ttl
  return /^\d{1,9}$/.test(amount) ? Number(amount) * secondsOf(unit) : Number.NaN
}

/** NaN when it is not a whole number. */
export const viewsOf = ({ views }: Options): number => (/^\d{1,9}$/.test(views) ? Number(views) : Number.NaN)

/** Null: as often as anyone likes until the time is up. */
export const viewLimit = (options: Options): number | null =>
  options.isPublic || options.preventBurn ? null : viewsOf(options)

/** What keeps a draft from being sent. */
export function findProblems(text: string, files: Attached[], options: Options, limits: Limits): Problems {
  const { password, title, allowedIp, isPublic } = options
  const ttl = ttlOf(options)
  const views = viewLimit(options)
  const wrongFiles = fileProblem(files, isPublic, limits)
  return {
    ...(text === '' && files.length === 0 && { text: { problem: 'empty' } }),
    ...(text === '' && files.length > 0 && isPublic && { text: { problem: 'empty-public' } }),
    ...(wrongFiles && { files: { problem: wrongFiles } }),
    ...(new Blob([text]).size > limits.maxTextBytes && { text: { problem: 'too-large' } }),
    ...(!(ttl >= limits.ttlMin && ttl <= limits.ttlMax) && { ttl: { problem: 'out-of-range' } }),
    ...(views !== null && !(views >= 1 && views <= limits.maxViews) && { maxViews: { problem: 'out-of-range' } }),
    ...((title.length > TITLE_MAX || /\p{Cc}/u.test(title)) && { title: { problem: 'not-a-line' } }),
    ...(!isPublic && password.length > PASSWORD_MAX && { password: { problem: 'too-large' } }),
    ...(!isPublic &&
      allowedIp.trim() !== '' &&
      !isAddress(allowedIp.trim()) && { allowedIp: { problem: 'not-an-address' } }),
  }
}
