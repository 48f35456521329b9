import { useTranslation } from 'react-i18next'
import { useLoaderData } from 'react-router'
import type { RichText } from '#shared/rich-text'
import { Page } from '../../components/Page.js'
import { language } from '../../lib/i18n.js'
import { Prose } from './RichTextContent.js'

export function Privacy() {
  const { t } = useTranslation('legal')
  return <Legal name={t('privacy')} />
}

export function Terms() {
  const { t } = useTranslation('legal')
  return <Legal name={t('terms')} />
}

/** `name`: of the screen, when the text has no heading of its own. */
function Legal({ name }: { name: string }) {
  const { t } = useTranslation('legal')
  const { title, changed, content } = useLoaderData<RichText>()
  return (
    <Page heading={title ?? name} lede={changed !== null && t('changed', { date: day(changed) })}>
      <Prose content={content} />
    </Page>
  )
}

/** A day is the same everywhere, whatever the reader's zone. */
const day = (time: number): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(time)
