import { useTranslation } from 'react-i18next'
import { useLoaderData } from 'react-router'
import type { RichText } from '#shared/rich-text'
import { Page } from '../../components/Page.js'
import { language } from '../../lib/i18n.js'
import { RichTextContent } from './RichTextContent.js'

/** `name`: the heading of a text without a title. */
export function LegalPage({ name }: { name: string }) {
  const { t } = useTranslation('legal')
  const { title, changed, content } = useLoaderData<RichText>()
  return (
    <Page heading={title ?? name} lede={changed !== null && t('changed', { date: formatDay(changed) })}>
      <RichTextContent content={content} />
    </Page>
  )
}

/** In UTC: the date of a change does not depend on the time zone. */
const formatDay = (time: number): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(time)
