import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'

interface Props {
  heading: string
  /** Title of the window, when it is not the heading. */
  title?: string | undefined
  lede?: ReactNode
  /** Shown beside the heading. */
  badge?: string
  wide?: boolean
  children?: ReactNode
}

/** A page that the browser has just loaded keeps the focus at its start. */
let isFirstPageShown = false

/** Sets the window title, and moves the focus to the heading whenever it changes. */
export function Page({ heading, title = heading, lede, badge, wide, children }: Props) {
  const { t } = useTranslation()
  const h1 = useRef<HTMLHeadingElement>(null)
  const product = t('product')
  useLayoutEffect(() => {
    document.title = `${title} · ${product}`
  }, [title, product])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new heading is a new screen
  useLayoutEffect(() => {
    if (isFirstPageShown) h1.current?.focus({ preventScroll: true })
    isFirstPageShown = true
  }, [heading])
  return (
    <div className={wide ? 'page wide' : 'page'}>
      <h1 ref={h1} tabIndex={-1}>
        <bdi>{heading}</bdi>
        {badge && (
          <>
            {' '}
            <span className="badge">{badge}</span>
          </>
        )}
      </h1>
      {lede && <p className="lede">{lede}</p>}
      {children}
    </div>
  )
}
