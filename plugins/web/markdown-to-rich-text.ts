/** Converts Markdown to data that the app renders. HTML is never interpreted: it is shown as text. */
import type { Nodes, RootContent } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { isSafeUrl } from '#shared/page/safe-url'
import type { RichNode, RichTag, RichText } from '#shared/rich-text'

/** `<!-- changed 2026-11-21 -->` on a separate line: the date of the last change. */
const CHANGED = /^<!--\s*changed\s+(\d{4}-\d{2}-\d{2})\s*-->$/
const CONTAINERS: Partial<Record<Nodes['type'], RichTag>> = {
  paragraph: 'p',
  blockquote: 'blockquote',
  strong: 'strong',
  emphasis: 'em',
}

/** `values`: replacements for `{{name}}`. They are inserted as plain text, not as Markdown. */
export function markdownToRichText(markdown: string, values: Record<string, string>): RichText {
  const { children } = fromMarkdown(markdown)
  const title = children.find((node) => node.type === 'heading' && node.depth === 1)
  const changed = children
    .map((node) => (node.type === 'html' ? CHANGED.exec(node.value)?.[1] : undefined))
    .find(Boolean)
  const content = children.filter((node) => node !== title && !(node.type === 'html' && CHANGED.test(node.value)))
  const fill = (text: string) => text.replace(/\{\{(\w+)\}\}/g, (placeholder, name) => values[name] ?? placeholder)
  return {
    title: title ? textOf(title, fill) : null,
    changed: changed === undefined ? null : Date.parse(changed),
    content: content.flatMap((node) => convertNode(node, fill)),
  }
}

function convertNode(node: RootContent, fill: (text: string) => string): RichNode[] {
  const parts = 'children' in node ? (node.children as RootContent[]) : []
  const children = parts.flatMap((child) => convertNode(child, fill))
  const container = CONTAINERS[node.type]
  if (container) return [{ tag: container, children }]
  switch (node.type) {
    case 'text':
      return [fill(node.value)]
    case 'heading':
      // The page itself has the heading of level 1.
      return [{ tag: node.depth <= 2 ? 'h2' : 'h3', children }]
    case 'listItem':
      // In a tight list, items lack paragraphs.
      return [{ tag: 'li', children: node.spread ? children : children.flatMap(unwrapParagraph) }]
    case 'list':
      return [{ tag: node.ordered ? 'ol' : 'ul', children }]
    case 'link':
      return isSafeUrl(node.url) ? [{ tag: 'a', href: node.url, children }] : children
    case 'inlineCode':
      return [{ tag: 'code', children: [fill(node.value)] }]
    case 'code':
      return [{ tag: 'pre', children: [fill(node.value)] }]
    case 'break':
      return [{ tag: 'br', children: [] }]
    case 'thematicBreak':
      return [{ tag: 'hr', children: [] }]
    case 'html':
      return [node.value]
    case 'image':
      return [node.alt ?? '']
    default:
      // Reference links and their definitions are not supported: only their text is shown.
      return children
  }
}

const unwrapParagraph = (node: RichNode): RichNode[] =>
  typeof node !== 'string' && node.tag === 'p' ? node.children : [node]

function textOf(node: Nodes, fill: (text: string) => string): string {
  if ('value' in node) return fill(node.value)
  return 'children' in node ? node.children.map((child) => textOf(child, fill)).join('') : ''
}
