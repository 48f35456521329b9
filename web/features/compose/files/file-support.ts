/** The chunk that is loaded with the first file. */

export { collectFiles } from './collect-files.js'
export { FileList } from './FileList.js'
export { encodeInlineFiles } from './inline-files.js'
export { UploadProgress } from './UploadProgress.js'
export { deleteUploads, uploadFiles } from './upload-files.js'
