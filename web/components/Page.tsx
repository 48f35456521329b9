import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'

interface Props {
  heading: string
  /** Of the window, when the heading must not show there or is not enough. */
  title?: string | undefined
  lede?: ReactNode
  /** A word or two beside the heading. */
  badge?: string
  wide?: boolean
  children?: ReactNode
}

/** False until the first screen has shown: the reader's place on a page that just loaded is its start. */
let isFirstPageShown = false

/** One screen: names the window, and moves the focus to the heading whenever the heading changes. */
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
