/** Markdown, read into data. What is not plainly text, a list or a link is shown as the text that it was written as. */
import type { Nodes, PhrasingContent, RootContent } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import type { RichNode, RichTag, RichText } from '#shared/rich-text'
import { isSafe } from './safe-address.js'

/** `<!-- changed 2026-11-21 -->` on a line of its own tells when the text was last changed. */
const CHANGED = /^<!--\s*changed\s+(\d{4}-\d{2}-\d{2})\s*-->$/
const SIMPLE: Partial<Record<Nodes['type'], RichTag>> = {
  paragraph: 'p',
  blockquote: 'blockquote',
  strong: 'strong',
  emphasis: 'em',
}

/** `blanks`: `{{name}}` in the text -> what stands there, which is never read as Markdown. */
export function readMarkdown(markdown: string, blanks: Record<string, string>): RichText {
  const { children } = fromMarkdown(markdown)
  const first = children.find((node) => node.type === 'heading' && node.depth === 1)
  const changed = children
    .map((node) => (node.type === 'html' ? CHANGED.exec(node.value)?.[1] : undefined))
    .find(Boolean)
  const shown = children.filter((node) => node !== first && !(node.type === 'html' && CHANGED.test(node.value)))
  const filled = (text: string) => text.replace(/\{\{(\w+)\}\}/g, (blank, name) => blanks[name] ?? blank)
  const read = (node: RootContent | PhrasingContent): RichNode[] => readNode(node, filled, read)
  return {
    title: first ? textOf(first, filled) : null,
    changed: changed === undefined ? null : Date.parse(changed),
    content: shown.flatMap(read),
  }
}

function readNode(
  node: RootContent,
  filled: (text: string) => string,
  read: (node: RootContent | PhrasingContent) => RichNode[],
): RichNode[] {
  const inside = 'children' in node ? (node.children as RootContent[]).flatMap(read) : []
  const simple = SIMPLE[node.type]
  if (simple) return [{ tag: simple, children: inside }]
  switch (node.type) {
    case 'text':
      return [filled(node.value)]
    case 'heading':
      // The first level is the page's own.
      return [{ tag: node.depth <= 2 ? 'h2' : 'h3', children: inside }]
    case 'listItem':
      // The items of a tight list are lines, not paragraphs.
      return [{ tag: 'li', children: node.spread ? inside : inside.flatMap((child) => unwrapped(child)) }]
    case 'list':
      return [{ tag: node.ordered ? 'ol' : 'ul', children: inside }]
    case 'link':
      return isSafe(node.url) ? [{ tag: 'a', href: node.url, children: inside }] : inside
    case 'inlineCode':
      return [{ tag: 'code', children: [filled(node.value)] }]
    case 'code':
      return [{ tag: 'pre', children: [filled(node.value)] }]
    case 'break':
      return [{ tag: 'br', children: [] }]
    case 'thematicBreak':
      return [{ tag: 'hr', children: [] }]
    case 'html':
      return [node.value]
    case 'image':
      return [node.alt ?? '']
    default:
      // References and their definitions.
      return inside
  }
}

const unwrapped = (node: RichNode): RichNode[] =>
  typeof node !== 'string' && node.tag === 'p' ? node.children : [node]

function textOf(node: Nodes, filled: (text: string) => string): string {
  if ('value' in node) return filled(node.value)
  return 'children' in node ? node.children.map((child) => textOf(child, filled)).join('') : ''
}
