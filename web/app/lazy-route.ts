import type { ComponentType } from 'react'
import type { LoaderFunction, RouteObject } from 'react-router'
import { loadNamespace } from '../lib/i18n.js'
import { loadPart } from '../lib/lazy-part.js'

export interface PageModule {
  default: ComponentType
  loader?: LoaderFunction
}

/** A route whose page comes in its own chunk, together with its texts. Fails with OutdatedError or NetworkError. */
export function lazyRoute(namespace: string, load: () => Promise<PageModule>): Pick<RouteObject, 'lazy'> {
  return {
    lazy: async () => {
      const [{ default: Component, loader }] = await loadPart(() => Promise.all([load(), loadNamespace(namespace)]))
      return { Component, ...(loader && { loader }) }
    },
  }
}
