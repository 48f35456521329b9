/** How a draft is sent: as one link, or as one for each of several people. */
import { type CreateLink, type Draft, prepareLink } from './create-link.js'
import { optionsPart } from './options-part.js'

/** Returns a function that creates the links. Calling it again after an error creates no second secret. */
export function prepareDraft(draft: Draft): CreateLink {
  return draft.options.names?.trim() && !draft.options.isPublic ? prepareMany(draft) : prepareLink(draft)
}

function prepareMany(draft: Draft): CreateLink {
  let create: CreateLink | null = null
  return async (watch) => {
    create ??= (await optionsPart.load()).prepareLinks(draft, prepareLink)
    return create(watch)
  }
}
