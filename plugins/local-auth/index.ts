/** Sign-in with passwords stored in this instance. Without it, nobody can sign in with a password or register. */
import { definePlugin, z } from '#core'

export default definePlugin({
  contract: 2,
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
