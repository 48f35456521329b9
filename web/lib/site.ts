/** Site options of the operator, which the server writes into the page. */
import type { Site } from '#shared/site'

/** Always present in a page served by Mayfly. */
export const site: Site = JSON.parse(document.querySelector<HTMLMetaElement>('meta[name="site"]')?.content ?? 'null')

/**
 * The start of every link that this page creates: its own address. An address in a response could be changed on its
 * way.
 */
export const linkBase = (): string => location.origin + site.base

/** Adds the base path of the instance. For links that the router does not handle, such as `/lite`. */
export const withBase = (path: string): string => site.base + path
