import { type ComponentProps, useContext } from 'react'
import { matchRoutes, UNSAFE_DataRouterContext as Router, useHref, useLinkClickHandler } from 'react-router'

/** A link inside the app. react-router's own brings the prefetching of its framework mode: 2 kB that nothing here uses. */
export function Link({ to, onClick, ...props }: ComponentProps<'a'> & { to: string }) {
  const href = useHref(to)
  const follow = useLinkClickHandler<HTMLAnchorElement>(to)
  const router = useContext(Router)?.router
  /** Brings the screen, but none of its data, while the reader is still about to press. */
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
