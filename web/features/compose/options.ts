/** The chunk that is loaded when "More options" is opened. */

export { OptionFields } from './OptionFields.js'
export { CreatedLinks } from './people/CreatedLinks.js'
export { prepareLinks } from './people/prepare-links.js'
