/** The part of the composer that is loaded with the first file. */

export { unpack } from './collect-files.js'
export { FileRows } from './FileList.js'
export { inlineFiles } from './inline-files.js'
export { Sending } from './UploadProgress.js'
export { sendFiles, takeBack } from './upload-files.js'
