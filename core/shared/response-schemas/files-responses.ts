/** Generated: `npx vitest run --project fast core/http/response-schemas.test.ts -u`. */
import type { z } from 'zod'
import type * as api from '../api/files.js'
import type { JsonSchemaOf } from '../check-json.js'

export type CreatedFile = z.infer<typeof api.CreatedFile>
export const CreatedFile: JsonSchemaOf<CreatedFile> = {"type":"object","properties":{"id":{"type":"string","pattern":"^[A-Za-z0-9_-]{22}$"},"token":{"type":"string","pattern":"^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$"},"maxPartSize":{"type":"integer","minimum":0}}}

export type FileParts = z.infer<typeof api.FileParts>
export const FileParts: JsonSchemaOf<FileParts> = {"type":"object","properties":{"parts":{"type":"array","items":{"type":"integer","minimum":0}}}}
