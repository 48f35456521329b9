import { useTranslation } from 'react-i18next'
import { type LoaderFunction, redirect, useLoaderData, useLocation, useNavigate } from 'react-router'
import type { SecondStepOptions } from '#shared/api'
import { ApiError } from '#shared/client/client'
import { ErrorNotice } from '../../components/ErrorNotice.js'
import { Link } from '../../components/Link.js'
import { Page } from '../../components/Page.js'
import { OtherMethods } from '../../forms/proof/OtherMethods.js'
import { ProofFields } from '../../forms/proof/ProofFields.js'
import type { TypedMethod } from '../../forms/proof/proof-method.js'
import { useProofMethods } from '../../forms/proof/use-proof-methods.js'
import { useFocusOnFirstField } from '../../forms/use-focus-on-first-field.js'
import { useForm } from '../../forms/use-form.js'
import { paths } from '../../lib/paths.js'
import { sessionStore, useSession } from '../../lib/session/session-store.js'
import { useSettings } from '../../lib/settings.js'
import { finishSignIn, loadSecondStep } from './auth-api.js'
import { returnPath } from './return-path.js'

const EXPIRED = 'auth.second_step_expired'

/**
 * Without a sign-in that waits for its second step: redirects to the sign-in page, or back when the user is signed in.
 */
export const loader: LoaderFunction = async ({ request }): Promise<SecondStepOptions> => {
  try {
    return await loadSecondStep()
  } catch (error) {
    if (!isExpired(error)) throw error
    const next = returnPath(new URL(request.url).search, 'next')
    throw redirect(sessionStore.current() === null ? restartPath(next) : next)
  }
}

/** The second step of a sign-in: a code, a passkey or a recovery code. */
export default function SecondStepPage() {
  const { t } = useTranslation('proof')
  const isSignedIn = useSession() !== null
  const { form, methods, next } = useSecondStep()
  return (
    <Page heading={t('second-step.heading')} lede={t('second-step.lede')} hasError={form.error !== null}>
      <ErrorNotice error={form.formError} />
      <form ref={form.ref} className="card" noValidate onSubmit={form.onSubmit}>
        {!methods.isPossible && <p>{t('impossible')}</p>}
        <ProofFields methods={methods} form={form} username="" />
        {methods.isPossible && (
          <button type="submit" className="button primary large whole" aria-disabled={form.isSending}>
            {t(form.isSending ? 'busy' : methods.typed === null ? 'use.passkey' : 'common:continue')}
          </button>
        )}
        <OtherMethods methods={methods} form={form} />
        {isSignedIn ? (
          <Link className="button quiet whole" to={paths.signOut}>
            {t('common:frame.sign-out')}
          </Link>
        ) : (
          <Link className="button quiet whole" to={signInPath(next)}>
            {t('second-step.restart')}
          </Link>
        )}
      </form>
    </Page>
  )
}

function useSecondStep() {
  const { methods: accepted } = useLoaderData<SecondStepOptions>()
  const { retry } = useSettings()
  const { search } = useLocation()
  const navigate = useNavigate()
  const next = returnPath(search, 'next')
  const methods = useProofMethods({
    methods: accepted,
    loadPasskeyRequest: async () => (await loadSecondStep()).passkey,
    send: finishSignIn,
  })
  const form = useForm<TypedMethod>({
    ...methods.formOptions,
    async send() {
      try {
        if ((await methods.formOptions.send()) === false) return
      } catch (error) {
        if (!isExpired(error)) throw error
        return navigate(restartPath(next), { replace: true })
      }
      sessionStore.notify()
      // The settings depend on who is signed in.
      retry()
      await navigate(next, { replace: true })
    },
  })
  useFocusOnFirstField(form.ref)
  return { form, methods, next }
}

const signInPath = (next: string) => `${paths.signIn}?${new URLSearchParams({ to: next })}`

const restartPath = (next: string) => `${signInPath(next)}&error=${EXPIRED}`

const isExpired = (error: unknown): boolean => error instanceof ApiError && error.code === EXPIRED
