/** Sign-in with passwords stored in this instance. Without it, users cannot sign in with a password or register. */
import { definePlugin, z } from '#core'

export default definePlugin({
  contract: 1,
  name: 'local-auth',
  options: z.object({}),
  setup: () => ({
    auth: ({ checkPassword }) => [
      {
        id: 'local',
        // Only existing accounts have a password.
        signUp: false,
        password: checkPassword,
      },
    ],
  }),
})
