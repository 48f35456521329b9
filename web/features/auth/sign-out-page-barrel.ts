/** The screen with the loader that does it. */

export { default } from './SignOutPage.js'
export { signOutNow as loader } from './sign-out.js'
