import { type ReactNode, useEffect, useLayoutEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { runWhenIdle } from '../lib/run-when-idle.js'

/**
 * Renders a dialog or form once while the browser is idle, and removes it before the next paint. Then the first press of
 * its button finds code that has run and icons that are loaded. `children` must not send requests.
 */
export function WarmUp({ children }: { children: ReactNode }) {
  const [container, setContainer] = useState<HTMLElement | null>(null)
  useEffect(() => runWhenIdle(() => setContainer(document.createElement('div'))), [])
  useLayoutEffect(() => {
    if (container === null) return
    container.querySelector('dialog')?.setAttribute('open', '')
    document.body.append(container)
    // The browser computes the styles.
    container.getBoundingClientRect()
    container.remove()
    setContainer(null)
  }, [container])
  return container && createPortal(children, container)
}
