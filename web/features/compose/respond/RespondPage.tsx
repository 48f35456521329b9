import { type PropsWithChildren, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { EndPage } from '../../../components/EndPage.js'
import { Page } from '../../../components/Page.js'
import { RequestIntro } from '../../../components/RequestIntro.js'
import { RequestLinkProblem } from '../../../components/RequestLinkProblem.js'
import { ShareLink } from '../../../components/ShareLink.js'
import { formatDateTime } from '../../../lib/format-time.js'
import { language } from '../../../lib/i18n.js'
import { SettingsProvider, useSettings } from '../../../lib/settings.js'
import { DraftContext, DraftStore } from '../ComposePage.js'
import { SubmissionForm } from './SubmissionForm.js'
import { type AnsweredRequest, useRespond } from './use-respond.js'

/** The page of a request link. Another link mounts it again. */
export default function RespondPage() {
  const { pathname, hash } = useLocation()
  return <Respond key={pathname + hash} url={location.href} />
}

function Respond({ url }: { url: string }) {
  const { t } = useTranslation('requests')
  const { disable_file_upload: isUploadOff } = useSettings().settings
  const { step, open, sent, again } = useRespond(url)
  switch (step.at) {
    case 'broken':
    case 'gone':
      return <RequestLinkProblem problem={step.at} />
    case 'tampered':
      return <EndPage heading={t('tampered.heading')} lede={t('tampered.explanation')} />
    case 'closed':
      return (
        <RequestIntro
          heading={t('respond.heading')}
          lede={t('respond.intro')}
          action={t('respond.open')}
          busy={t('common:frame.loading')}
          isBusy={step.isOpening}
          error={step.error}
          onOpen={open}
        />
      )
    case 'open': {
      const { request } = step
      const acceptsFiles = request.allowFiles && !isUploadOff
      return (
        <FormScope request={request} acceptsFiles={acceptsFiles}>
          <SubmissionForm
            request={request}
            acceptsFiles={acceptsFiles}
            onSent={(expiresAt) => sent(request, expiresAt)}
          />
        </FormScope>
      )
    }
    case 'sent':
      return (
        <Page
          centered
          heading={t('sent.heading')}
          lede={t('sent.explanation', { date: formatDateTime(step.expiresAt, language) })}
        >
          <p className="actions">
            {step.request.submissionsLeft > 1 && (
              <button type="button" className="button" onClick={again}>
                {t('sent.another')}
              </button>
            )}
            <ShareLink isPrimary={false} />
          </p>
        </Page>
      )
  }
}

/** A draft of its own, and the limits of the request: its owner accepts files, also from visitors. */
function FormScope({
  request: { maxBytes, maxFileBytes },
  acceptsFiles,
  children,
}: PropsWithChildren<{ request: AnsweredRequest; acceptsFiles: boolean }>) {
  const { settings } = useSettings()
  const [draft] = useState(() => new DraftStore())
  const max = maxBytes ?? Number.POSITIVE_INFINITY
  const limits = {
    ...settings.limits,
    maxTextBytes: Math.min(settings.limits.maxTextBytes, max),
    maxFileBytes: Math.min(maxFileBytes, max),
  }
  return (
    <SettingsProvider initial={{ status: 'loaded', settings: { ...settings, uploads: acceptsFiles, limits } }}>
      <DraftContext value={draft}>{children}</DraftContext>
    </SettingsProvider>
  )
}
