/** The calls of administrators. */
import * as api from '../../shared/api.js'
import { call } from '../call.js'

export function adminCalls() {
  return [
    call({
      method: 'GET',
      path: '/admin/users',
      summary: 'List accounts, by name',
      limit: 'admin',
      needs: 'admin',
      query: api.ListUsers,
      status: 200,
      answer: api.Users,
      handle: ({ query }, { admin }) => admin.list(query),
    }),
    call({
      method: 'POST',
      path: '/admin/users',
      summary: 'Make an account for somebody',
      limit: 'admin',
      needs: 'admin',
      body: api.CreateUser,
      status: 201,
      answer: api.Account,
      errors: [
        ...(['auth.email_domain', 'auth.password_common'] as const),
        ...(['user.name_taken', 'user.email_taken', 'server.busy'] as const),
      ],
      handle: ({ body, caller }, { admin }) => admin.create(body, caller),
    }),
    call({
      method: 'PUT',
      path: '/admin/users',
      summary: 'Change the e-mail address or the role of an account; another role ends its sessions',
      limit: 'admin',
      needs: 'admin',
      body: api.UpdateUser,
      status: 200,
      answer: api.Account,
      errors: ['user.not_found', 'user.last_admin', 'user.email_taken', 'auth.email_domain'],
      handle: ({ body, caller }, { admin }) => admin.update(body, caller),
    }),
    call({
      method: 'DELETE',
      path: '/admin/users',
      summary: 'Delete an account with its secrets and their files',
      limit: 'admin',
      needs: 'admin',
      body: api.DeleteUser,
      status: 200,
      answer: api.Account,
      errors: ['user.not_found', 'user.last_admin'],
      handle: ({ body, caller }, { admin }) => admin.remove(body.username, caller),
    }),
    call({
      method: 'DELETE',
      path: '/admin/sessions',
      summary: 'End every session of an account',
      limit: 'admin',
      needs: 'admin',
      body: api.EndSessionsOf,
      status: 200,
      answer: api.EndedSessions,
      errors: ['user.not_found'],
      async handle({ body, caller }, { admin }) {
        return { ended: await admin.endSessions(body.username, caller) }
      },
    }),
    call({
      method: 'GET',
      path: '/admin/settings',
      summary: 'The instance settings',
      limit: 'admin',
      needs: 'admin',
      status: 200,
      answer: api.InstanceSettings,
      handle: (_, { settings }) => settings.current(),
    }),
    call({
      method: 'PUT',
      path: '/admin/settings',
      summary: 'Change instance settings; every process obeys within two seconds',
      limit: 'admin',
      needs: 'admin',
      body: api.UpdateInstanceSettings,
      status: 200,
      answer: api.InstanceSettings,
      handle: ({ body, caller }, { settings }) => settings.update(body, caller),
    }),
  ]
}
