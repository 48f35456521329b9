import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { ApiError } from '#shared/client/client'

/** An error code that the server puts into `?error=` of a redirect. */
const CODE = /^[a-z]+\.[a-z_]+$/

/** The error of an external provider that redirected to this page; null when there is none. */
export function useRedirectError(): ApiError | null {
  const { t } = useTranslation()
  const { search } = useLocation()
  const [failure] = useState(() => {
    const code = new URLSearchParams(search).get('error')
    if (code === null) return null
    const message = t('errors.auth.refused')
    return new ApiError({ statusCode: 0, error: '', code: CODE.test(code) ? code : 'auth.refused', message })
  })
  return failure
}
