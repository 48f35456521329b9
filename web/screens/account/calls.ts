/** The calls of people about their accounts. Each is tried once: somebody is waiting who can try again. */
import type { Account } from '#shared/api'
import { createRequest } from '#shared/request'
import { site } from '../../site.js'

const { json } = createRequest({ server: site.base })

export const account = () => json<{ user: Account }>({ method: 'GET', path: '/account' })
