import { type ComponentProps, useContext } from 'react'
import { matchRoutes, UNSAFE_DataRouterContext as Router, useHref, useLinkClickHandler } from 'react-router'

/** A link inside the app. react-router's own link includes prefetching for its framework mode: 2 kB of unused code. */
export function Link({ to, onClick, ...props }: ComponentProps<'a'> & { to: string }) {
  const href = useHref(to)
  const follow = useLinkClickHandler<HTMLAnchorElement>(to)
  const router = useContext(Router)?.router
  /** Loads the page's chunk, but not its data, before the click. */
  const prefetch = () => {
    for (const { route } of matchRoutes(router?.routes ?? [], to) ?? []) {
      if (typeof route.lazy === 'function') route.lazy().catch(() => {})
    }
  }
  return (
    <a
      {...props}
      href={href}
      onPointerEnter={prefetch}
      onFocus={prefetch}
      onClick={(event) => {
        onClick?.(event)
        if (!event.defaultPrevented) follow(event)
      }}
    />
  )
}
