import type { ReactNode } from 'react'

/** A command or a response, left to right in every language. */
export function CodeBlock({ children }: { children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long line scrolls, and keys must reach it
    <pre className="code" dir="ltr" tabIndex={0} translate="no">
      <code>{children}</code>
    </pre>
  )
}
