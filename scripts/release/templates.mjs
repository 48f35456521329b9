// Fills in docs/install/templates for a release: `@name@` is a value, `@sha256 FILE@` the checksum of a file of the
// release, whose name may contain VERSION.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { manifest, ROOT, SUMMARY, version } from './product.mjs'

const TEMPLATES = join(ROOT, 'docs/install/templates')

/** Writes the filled-in templates to `templates` in the folder of the release. Throws for an unknown name. */
export function writeTemplates(folder, { repository, image }) {
  const values = valuesOf({ repository, image })
  for (const name of listTemplates()) {
    const path = join(folder, 'templates', name)
    mkdirSync(dirname(path), { recursive: true })
    const sha256 = (file) =>
      createHash('sha256')
        .update(readFileSync(join(folder, file)))
        .digest('hex')
    writeFileSync(path, fillTemplate(readFileSync(join(TEMPLATES, name), 'utf8'), values, sha256))
  }
}

export const listTemplates = () => readdirSync(TEMPLATES).sort()

/** Port, folder and user of the image. */
export function valuesOf({ repository, image }) {
  const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
  const find = (pattern) => pattern.exec(dockerfile)[1]
  return {
    version,
    repository,
    image: `${image}:${version}`,
    imageName: image,
    summary: SUMMARY,
    license: manifest.license,
    port: find(/^EXPOSE (\d+)$/m),
    data: find(/^VOLUME (\S+)$/m),
    user: find(/^USER (\S+)$/m),
    download: `${repository}/releases/download/v${version}`,
  }
}

/** `sha256`: returns the checksum of a file of the release. Throws for an unknown name. */
export const fillTemplate = (text, values, sha256) =>
  text.replace(/@(?:sha256 ([\w.-]+)|(\w+))@/g, (_, file, name) => {
    if (file !== undefined) return sha256(file.replace('VERSION', values.version))
    if (!Object.hasOwn(values, name)) throw new Error(`unknown name in a template: ${name}`)
    return values[name]
  })
