/** The screen with the loader that does it. */
export { signOutNow as loader } from './load-sign-out.js'
export { default } from './SignOut.js'
