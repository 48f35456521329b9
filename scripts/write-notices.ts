/** Names and licenses of the packages whose code is part of the build. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const LICENSE_FILE = /^(licen[cs]e|copying|notice)(\.|-|$)/i

/** `folders`: of the packages. Throws when a package lacks a license. */
export async function writeNotices(folders: string[], file: string): Promise<void> {
  const notices = await Promise.all(folders.map(describePackage))
  const intro = 'The files in this folder contain code of these packages.\n'
  const text = [intro, ...new Set(notices.sort())].join(`\n${'-'.repeat(80)}\n\n`)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}

async function describePackage(folder: string): Promise<string> {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const files = (await readdir(folder)).filter((file) => LICENSE_FILE.test(file)).sort()
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
  if (license === undefined && texts.length === 0) throw new Error(`${name} has no license`)
  return `${name} ${version}\nLicense: ${license ?? 'see below'}\n\n${texts.map((text) => text.trim()).join('\n\n')}\n`
}
