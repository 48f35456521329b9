import type { ComponentProps } from 'react'
import { useHref, useLinkClickHandler } from 'react-router'

/** A link inside the app. react-router's own brings the prefetching of its framework mode: 2 kB that nothing here uses. */
export function Link({ to, onClick, ...props }: ComponentProps<'a'> & { to: string }) {
  const href = useHref(to)
  const follow = useLinkClickHandler<HTMLAnchorElement>(to)
  return (
    <a
      {...props}
      href={href}
      onClick={(event) => {
        onClick?.(event)
        if (!event.defaultPrevented) follow(event)
      }}
    />
  )
}
