/** Sign-in with passwords stored in this instance. Without it, nobody can sign in with a password or register. */
import { definePlugin, z } from '#core'

export default definePlugin({
  name: 'local-auth',
  options: z.object({}),
  setup: () => ({
    auth: ({ signIn }) => [
      {
        id: 'local',
        // Only existing accounts have a password.
        signUp: false,
        async password(username, password) {
          const user = await signIn.checkPassword(username, password)
          return user && { subject: user.id, username: user.username, email: user.email }
        },
      },
    ],
  }),
})
