/** The chunk that is loaded when "More options" is opened. */

export { CreatedLinks } from './CreatedLinks.js'
export { OptionFields } from './OptionFields.js'
export { prepareLinks } from './prepare-links.js'
