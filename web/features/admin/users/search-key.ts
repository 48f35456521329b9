/** Key that moves the focus to the search. */
export const SEARCH_KEY = '/'
