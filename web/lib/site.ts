/** What the operator decided about the whole site. The server wrote it on the page, so that it is here before any request. */
import type { Site } from '#shared/site'

/** Rejected nowhere: a page without it was not served by Mayfly. */
export const site: Site = JSON.parse(document.querySelector<HTMLMetaElement>('meta[name="site"]')?.content ?? 'null')

/** The address of something of this instance, such as `/lite`, for what the router does not know. */
export const withBase = (path: string): string => site.base + path
