/** The screen that shows the link. It is here before anything is sent, or a link might be made that nothing could show. */
export const loadCreatedPage = () => import('./CreatedPage.js')
