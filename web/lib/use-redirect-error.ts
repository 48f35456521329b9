import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { ApiError } from '#shared/client'

/** A code as the server writes it behind `?error=` when it leads a browser back. */
const CODE = /^[a-z]+\.[a-z_]+$/

/** What went wrong at another site where somebody wanted to sign in, when this screen was led to by that; else null. */
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
