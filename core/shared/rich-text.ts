/** A text with headings, lists and links as data, so that no HTML is ever made from strings. */

export const RICH_TAGS = [
  ...(['p', 'h2', 'h3', 'ul', 'ol', 'li', 'blockquote', 'pre', 'hr'] as const),
  ...(['strong', 'em', 'code', 'br'] as const),
] as const

export type RichTag = (typeof RICH_TAGS)[number]

export type RichNode =
  | string
  | { tag: RichTag; children: RichNode[] }
  | { tag: 'a'; href: string; children: RichNode[] }

/** A document that the operator may replace. */
export interface RichText {
  /** Its first heading; null when it has none. */
  title: string | null
  /** Epoch ms; null when nobody said. */
  changed: number | null
  content: RichNode[]
}
