/** How a route brings its screen: in a chunk of its own, together with its words. */
import type { ComponentType } from 'react'
import type { LoaderFunction, RouteObject } from 'react-router'
import { loadWords } from '../lib/i18n.js'

/** A loader that is fetched beside its screen, so that neither the first screen nor the data waits. */
export const later =
  (load: () => Promise<LoaderFunction>): LoaderFunction =>
  async (args) =>
    (await load())(args)

/** A screen may bring its loader along. */
export function screen(
  namespace: string,
  load: () => Promise<{ default: ComponentType; loader?: LoaderFunction }>,
): Pick<RouteObject, 'lazy'> {
  return {
    lazy: async () => {
      const [{ default: Component, loader }] = await Promise.all([load(), loadWords(namespace)])
      return { Component, ...(loader && { loader }) }
    },
  }
}
