import type { ComponentType } from 'react'
import type { LoaderFunction, RouteObject } from 'react-router'
import { loadNamespace } from '../lib/i18n.js'

export interface PageModule {
  default: ComponentType
  loader?: LoaderFunction
}

/** A route whose page comes in its own chunk, together with its texts. */
export function lazyRoute(namespace: string, load: () => Promise<PageModule>): Pick<RouteObject, 'lazy'> {
  return {
    lazy: async () => {
      const [{ default: Component, loader }] = await Promise.all([load(), loadNamespace(namespace)])
      return { Component, ...(loader && { loader }) }
    },
  }
}
