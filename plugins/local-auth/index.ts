/** Passwords that this instance keeps. Without it nobody signs in with one, nor makes an account for themselves. */
import { definePlugin, z } from '#core'

export default definePlugin({
  name: 'local-auth',
  options: z.object({}),
  setup: () => ({
    auth: ({ signIn }) => [
      {
        id: 'local',
        // Who has no account has no password.
        signUp: false,
        async password(username, password) {
          const user = await signIn.checkPassword(username, password)
          return user && { subject: user.id, username: user.username, email: user.email }
        },
      },
    ],
  }),
})
