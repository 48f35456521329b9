/** The part of the composer that is loaded with the first file. */
export { FileRows } from './FileRows.js'
export { inlineFiles } from './inline-files.js'
export { Sending } from './Sending.js'
export { sendFiles, takeBack } from './send-files.js'
export { unpack } from './unpack.js'
