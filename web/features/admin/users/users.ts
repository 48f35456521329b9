/** The screen with its loader. */
export { userList as loader } from './load.js'
export { default } from './UsersPage.js'
