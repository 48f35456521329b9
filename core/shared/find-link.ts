/**
 * Finds the one link in a text: in a message, behind the redirect of a mail scanner, or with characters that a chat
 * program appended. The check characters of a link show whether it is unchanged.
 */
import {
  type FragmentFormat,
  fragmentLength,
  isSecretId,
  KEYLESS,
  LinkError,
  type LinkProblem,
  parseFragment,
  SECRET_FRAGMENT,
} from './link.js'
import { RECEIPT_FRAGMENT } from './receipt-link.js'
import { COLLECT_FRAGMENT, isRequestId, REQUEST_FRAGMENT } from './request-link.js'
import { LINK_TEXT_MAX, type UnwrappedText, unwrapText } from './unwrap-text.js'

export type LinkKind = 'secret' | 'request' | 'collect' | 'receipt'

/** `base`: everything before the path of the kind. `id`: empty in a receipt link. */
export interface FoundLink {
  base: string
  id: string
  /** Null in a link without one; `0` in a link whose key is sent separately. */
  fragment: string | null
  /** The text is the link, with nothing around it and nothing changed. */
  isExact: boolean
}

/** Part of a text that looks like a link. */
interface Candidate extends FoundLink {
  kind: LinkKind
  problem: LinkProblem | null
}

const FORMATS: Record<LinkKind, FragmentFormat> = {
  secret: SECRET_FRAGMENT,
  request: REQUEST_FRAGMENT,
  collect: COLLECT_FRAGMENT,
  receipt: RECEIPT_FRAGMENT,
}
const KIND_NAMES: Record<LinkKind, string> = {
  secret: 'a link to a secret',
  request: 'a request link',
  collect: 'a collect link',
  receipt: 'a receipt link',
}
/** Without the final slash, which begins the next path if the base of the instance ends in such a word. */
const PATH = /\/(secret|lite|request|collect)(?=\/)|\/(receipt)\/?(?=#)/gi
/** Bounds the work for a text that consists of such paths. */
const PATHS_MAX = 64
const BASE_MAX = 1024
const QUERY_MAX = 4096
/** Characters that end a link in a text. */
const ENDS = /[\s<>"'()[\]{}|\\^`]/
const WORD = /[\w-]/

/**
 * Returns the one link of a kind in the text. Throws LinkError: `several` for two different links, `incomplete` or
 * `newer-version` if none is valid, and `not-a-link` also for a link of another kind.
 */
export function findLink(text: string, kind: LinkKind): FoundLink {
  if (text.length > LINK_TEXT_MAX) throw new LinkError('not-a-link', 'this text is too long; paste the link alone')
  const candidates = unwrapText(text).flatMap((version, at) => findCandidates(version, at === 0 ? text.trim() : null))
  const found = chooseLink(candidates.filter((candidate) => candidate.kind === kind))
  if (found) return found
  const other = candidates.find((candidate) => candidate.kind !== kind)?.kind
  const needed = KIND_NAMES[kind]
  throw new LinkError(
    'not-a-link',
    other ? `this is ${KIND_NAMES[other]}; ${needed} is needed` : `this is not ${needed}`,
  )
}

/** Null if there is no candidate with an id. Throws LinkError. */
function chooseLink(candidates: Candidate[]): FoundLink | null {
  const broken = candidates.filter(({ problem }) => problem !== null)
  const valid = candidates.filter((each) => each.problem === null && !candidates.some((other) => isPartOf(each, other)))
  if (new Set(valid.map(({ base, id, fragment }) => `${base} ${id} ${fragment}`)).size > 1)
    throw new LinkError('several')
  const [link] = valid
  if (link) {
    const { base, id, fragment } = link
    return { base, id, fragment, isExact: valid.some(({ isExact }) => isExact) }
  }
  const problem = broken.find(({ problem }) => problem === 'newer-version') ?? broken[0]
  if (problem?.problem) throw new LinkError(problem.problem)
  return null
}

/**
 * True for a link without a fragment or key if the other link has it: in another version of the text it is not
 * recognized.
 */
function isPartOf(link: Candidate, other: Candidate): boolean {
  const isLonger =
    other.id === link.id ? other.fragment !== null || other.problem !== null : other.id.startsWith(`${link.id}~`)
  return link.fragment === null && other.base === link.base && isLonger
}

/** `whole`: the original text, to check whether it is exactly the link. */
function findCandidates(text: UnwrappedText, whole: string | null): Candidate[] {
  return [...text.characters.matchAll(PATH)].slice(0, PATHS_MAX).flatMap((path) => {
    const name = (path[1] ?? path[2] ?? '').toLowerCase()
    const kind = name === 'lite' ? 'secret' : (name as LinkKind)
    const start = findBase(text.characters, path.index)
    const base = start === null ? null : parseBase(text.characters.slice(start, path.index))
    if (base === null) return []
    const at = path.index + path[0].length
    const target = kind === 'receipt' ? { id: '', fragment: null, end: at } : readTarget(text, at + 1, kind)
    if (target === null) return []
    const { fragment, problem, end } =
      target.fragment === null ? readAfterId(text, target.end, kind) : { ...target, problem: null }
    const isExact = start === 0 && whole?.length === end && whole === text.characters
    return [{ kind, base, id: target.id, fragment, problem, isExact }]
  })
}

/** The position of the nearest `http://` or `https://` before a path; null if there is none in the same word. */
function findBase(characters: string, before: number): number | null {
  const from = Math.max(0, before - BASE_MAX)
  const window = characters.slice(from, before).toLowerCase()
  const at = Math.max(window.lastIndexOf('https://'), window.lastIndexOf('http://'))
  return at < 0 ? null : from + at
}

/** Origin and path without a slash at the end; null if the URL is invalid. */
function parseBase(text: string): string | null {
  // A second scheme: the path of a redirect.
  if (/[\s?#&=<>"'|\\^`]|.https?:/i.test(text)) return null
  try {
    const { origin, pathname } = new URL(text)
    return origin + (pathname.endsWith('/') ? pathname.slice(0, -1) : pathname)
  } catch {
    return null
  }
}

interface Target {
  id: string
  /** Of the form `/secret/{key}/{id}`. */
  fragment: string | null
  end: number
}

/** Reads the id after the path of a link. Null if there is none. */
function readTarget(text: UnwrappedText, at: number, kind: LinkKind): Target | null {
  if (kind !== 'secret') return readId(text, at, [22], isRequestId)
  const keyLength = fragmentLength(SECRET_FRAGMENT)
  const inPath = text.characters[at + keyLength] === '/' && readId(text, at + keyLength + 1, [22], isSecretId)
  if (inPath) {
    const key = text.characters.slice(at, at + keyLength)
    if (isFragment(key, SECRET_FRAGMENT)) return { ...inPath, fragment: key }
  }
  return readId(text, at, [66, 22], isSecretId)
}

function readId(
  { characters, breaks }: UnwrappedText,
  at: number,
  lengths: number[],
  isId: (id: string) => boolean,
): Target | null {
  for (const length of lengths) {
    const id = characters.slice(at, at + length)
    const end = at + length
    const next = characters[end] ?? ' '
    // Text after `%` and `~` is part of the id, or of its encoding. At the end of the text, the slice is shorter.
    if (id.length === length && isId(id) && (breaks.has(end) || isEnd(characters, end)) && !/[%~]/.test(next))
      return { id, fragment: null, end }
  }
  return null
}

/** Reads the fragment behind an id, and skips a slash and a query between them. */
function readAfterId(text: UnwrappedText, end: number, kind: LinkKind) {
  const { characters } = text
  let at = characters[end] === '/' ? end + 1 : end
  if (/[?&]/.test(characters[at] ?? '')) {
    const until = Math.min(at + QUERY_MAX, characters.length)
    while (at < until && characters[at] !== '#' && !ENDS.test(characters[at] as string)) at++
  }
  if (characters[at] === '#') return readFragment(text, at + 1, kind)
  const problem = kind === 'secret' ? null : ('incomplete' as const)
  return { fragment: null, problem, end: characters[end] === '/' ? end + 1 : end }
}

/** Reads a fragment, also one with spaces or line breaks in it. */
function readFragment(text: UnwrappedText, at: number, kind: LinkKind) {
  const { characters, breaks } = text
  const isWord = (position: number) => WORD.test(characters[position] ?? ' ')
  if (kind === 'secret' && characters[at] === KEYLESS && (!isWord(at + 1) || breaks.has(at + 1)))
    return { fragment: KEYLESS, problem: null, end: at + 1 }
  const length = fragmentLength(FORMATS[kind])
  let fragment = ''
  let end = at
  for (const last = at + 2 * length; fragment.length < length && end < last; end++) {
    if (isWord(end)) fragment += characters[end]
    else if (!/\s/.test(characters[end] ?? '.')) break
  }
  const isWhole = breaks.has(end) || isEnd(characters, end)
  try {
    parseFragment(fragment, FORMATS[kind])
    if (isWhole) return { fragment, problem: null, end }
  } catch (error) {
    if (error instanceof LinkError) return { fragment: null, problem: error.problem, end }
    throw error
  }
  return { fragment: null, problem: 'incomplete' as const, end }
}

function isFragment(text: string, format: FragmentFormat): boolean {
  try {
    parseFragment(text, format)
    return true
  } catch {
    return false
  }
}

/** True unless a letter or digit follows, also after some `-` or `_`, which programs write around a link. */
function isEnd(characters: string, at: number): boolean {
  let next = at
  while (next < at + 8 && /[-_]/.test(characters[next] ?? '')) next++
  return !WORD.test(characters[next] ?? ' ')
}
