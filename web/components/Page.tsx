import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'

interface Props {
  heading: string
  /** Title of the window, when it is not the heading. */
  title?: string | undefined
  /** The form of the page has problems, which the title of the window also says. */
  hasError?: boolean
  /** A short line above the heading. */
  eyebrow?: string
  lede?: ReactNode
  /** Shown beside the heading. */
  badge?: string
  wide?: boolean
  /** For a short message. */
  centered?: boolean
  children?: ReactNode
}

/** A page that the browser has just loaded keeps the focus at its start. */
let isFirstPageShown = false

/** Sets the window title, and moves the focus to the heading whenever it changes. */
export function Page({ heading, title = heading, hasError, eyebrow, lede, badge, wide, centered, children }: Props) {
  const { t } = useTranslation()
  const h1 = useRef<HTMLHeadingElement>(null)
  const windowTitle = `${hasError ? t('error-title', { title }) : title} · ${t('product')}`
  useLayoutEffect(() => {
    document.title = windowTitle
  }, [windowTitle])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new heading is a new screen
  useLayoutEffect(() => {
    if (isFirstPageShown) h1.current?.focus({ preventScroll: true })
    isFirstPageShown = true
  }, [heading])
  return (
    <div className={wide ? 'page wide' : centered ? 'page centered' : 'page'}>
      {eyebrow && <p className="muted">{eyebrow}</p>}
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
