/** Loads what sends a draft: when the user begins to type, because the first page has no room for it. */
export const loadSender = () => import('./sender.js')
