import { createElement, type ReactNode } from 'react'
import { RICH_TAGS, type RichNode } from '#shared/rich-text'

/** Renders rich text. Unknown tags are dropped, but not their content. */
export function RichTextContent({ content }: { content: RichNode[] }) {
  return <div className="prose">{renderNodes(content)}</div>
}

function renderNodes(nodes: RichNode[]): ReactNode[] {
  return nodes.map((node, index) => {
    if (typeof node === 'string') return node
    const inside = renderNodes(node.children)
    if (node.tag === 'a') return createElement('a', { key: index, href: node.href, rel: 'noreferrer' }, ...inside)
    const tag = RICH_TAGS.find((each) => each === node.tag)
    return tag ? createElement(tag, { key: index }, ...inside) : inside
  })
}
