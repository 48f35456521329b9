/** Formatted text as a tree of nodes, so that HTML is never built from strings. */
import type { EpochMs } from './epoch-ms.js'

export const RICH_TAGS = [
  'p',
  'h2',
  'h3',
  'ul',
  'ol',
  'li',
  'blockquote',
  'pre',
  'hr',
  'strong',
  'em',
  'code',
  'br',
] as const

export type RichTag = (typeof RICH_TAGS)[number]

export type RichNode =
  | string
  | { tag: RichTag; children: RichNode[] }
  | { tag: 'a'; href: string; children: RichNode[] }

/** A document that the operator can replace, such as the terms. */
export interface RichText {
  /** The first heading; null if there is none. */
  title: string | null
  /** Date of the last change; null if unknown. */
  changed: EpochMs | null
  content: RichNode[]
}
