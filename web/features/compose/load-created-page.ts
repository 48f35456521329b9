/** Loads the page that shows the link. Called before the request, so that every created link can be shown. */
export const loadCreatedPage = () => import('./CreatedPage.js')
