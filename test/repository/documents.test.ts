/** Documents match the code: generated tables, tested code blocks and links to existing files. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { CLIENT_KEYS } from '#cli/client/client-config'
import manifest from '#package' with { type: 'json' }
import { filesEnding, ROOT } from '#test/source-files'
import { CLI } from '#test/start-server'

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const documents = filesEnding('.md')
const DECISION_INDEX = 'docs/decisions/README.md'
const decisions = documents.filter((path) => path.startsWith('docs/decisions/') && path !== DECISION_INDEX)
const FOLDERS = ['core', 'plugins', 'cli', 'web', 'migrations', 'config', 'test']

// `npx vitest run test/repository/documents.test.ts -u` rewrites the generated parts.
test('docs/configuration.md lists the existing settings', async () => {
  const table = execFileSync(process.execPath, [CLI, 'config', 'list', '--markdown'], { encoding: 'utf8' })
  expect(table).toContain('| `publicUrl` | `MAYFLY_PUBLIC_URL` |')
  await expect(filled('docs/configuration.md', 'settings', table)).toMatchFileSnapshot('../../docs/configuration.md')
})

test('docs/cli.md lists the existing commands', async () => {
  const reference = execFileSync(process.execPath, [CLI, 'help', '--markdown'], { encoding: 'utf8' })
  expect(reference).toContain('## mayfly secret create')
  await expect(filled('docs/cli.md', 'commands', reference)).toMatchFileSnapshot('../../docs/cli.md')
})

test('docs/configuration.md lists the settings of the command line', () => {
  const [, section = ''] = read('docs/configuration.md').split('## The command line as a client')
  const [table = ''] = section.split('\n## ')
  expect([...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, key]) => key)).toEqual(CLIENT_KEYS)
})

test('package.json has the newest version of the CHANGELOG, and documents name its tarball', () => {
  const [, newest] = /^## \[(\d[^\]]*)\]/m.exec(read('CHANGELOG.md')) ?? []
  expect(manifest.version).toBe(newest)
  const tarballs = documents.flatMap((path) => read(path).match(/mayfly-\d[\w.-]*\.tgz/g) ?? [])
  expect(new Set(tarballs)).toEqual(new Set([`mayfly-${newest}.tgz`]))
})

test('the plugin in plugins/README.md equals the tested fixture', async () => {
  const code = `\`\`\`js\n${read('test/fixtures/plugins/tally.js')}\`\`\``
  await expect(filled('plugins/README.md', 'tally', code)).toMatchFileSnapshot('../../plugins/README.md')
})

test('the plugins in docs/plugins.md equal the tested fixtures', async () => {
  const shown = {
    storage: 'pg-schema',
    'file-store': 'shelf',
    'sign-in-method': 'colleagues',
    command: 'greeting',
    'audit-sink': 'collector',
    settings: 'notice',
    channel: 'queue',
  }
  const page = Object.entries(shown).reduce((text, [place, name]) => {
    const code = read(`test/fixtures/plugins/${name}.js`)
    return filledIn(text, place, `\`\`\`js\n${code}\`\`\``)
  }, read('docs/plugins.md'))
  await expect(page).toMatchFileSnapshot('../../docs/plugins.md')
})

test('every link points to an existing file', () => {
  const links = documents.flatMap((path) =>
    [...read(path).matchAll(/\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"/g)].map(([, link = '', source]) => ({
      path,
      link: source ?? link,
    })),
  )
  const local = links.filter(({ link }) => !/^(https?:|mailto:|#)/.test(link))
  const isBroken = ({ path, link }: (typeof local)[number]) =>
    !existsSync(join(ROOT, dirname(path), link.replace(/#.*/, '')))
  expect(local.filter(isBroken)).toEqual([])
  expect(local.length).toBeGreaterThan(10)
})

test('every top-level folder has a short README', () => {
  const lines = (text: string) => text.trimEnd().split('\n').length
  const prose = (path: string) => read(path).replace(/^```[\s\S]*?^```$/gm, '')
  for (const folder of FOLDERS) expect(lines(prose(`${folder}/README.md`)), folder).toBeLessThanOrEqual(50)
  expect(lines(read('README.md'))).toBeLessThan(200)
})

test('there are at most 45 decisions, each with its number and three parts', () => {
  expect(decisions.length).toBeGreaterThanOrEqual(12)
  expect(decisions.length).toBeLessThanOrEqual(45)
  expect(new Set(decisions.map((path) => basename(path).slice(0, 3))).size).toBe(decisions.length)
  for (const path of decisions) {
    const [, number] = /^docs\/decisions\/(\d{3})-[a-z0-9-]+\.md$/.exec(path) ?? []
    expect(read(path), path).toMatch(
      new RegExp(`^# ${number} .+\\n\\n## Context\\n[\\s\\S]+\\n## Decision\\n[\\s\\S]+\\n## Consequences\\n`),
    )
  }
})

test('the index of decisions lists each one by number, title and file name', () => {
  const rows = read(DECISION_INDEX).match(/^\| \d.*/gm) ?? []
  expect(rows.length).toBe(decisions.length)
  for (const [index, path] of decisions.entries()) {
    const [, number, title] = /^# (\d{3}) (.+)/.exec(read(path)) ?? []
    expect(rows[index]).toContain(`| ${number} | [${title}](${basename(path)}) |`)
  }
})

test('every command that writes a password or a token to a file keeps it private', () => {
  const pages = [...documents, 'cli/commands/user/user-commands.ts']
  const writes = /mayfly (user (add|token|passwd)\b(?!.*> \/dev\/null)|setup\b.*--generate-admin-password).*> /
  const lines = pages.flatMap((path) =>
    read(path)
      .replaceAll('\\\n', ' ')
      .split('\n')
      .filter((line) => writes.test(line)),
  )
  expect(lines.length).toBeGreaterThan(5)
  expect(lines.filter((line) => !line.includes('(umask 077; '))).toEqual([])
})

/** The document with this between `<!-- name … -->` and `<!-- /name -->`. */
const filled = (path: string, name: string, content: string): string => filledIn(read(path), name, content)

function filledIn(text: string, name: string, content: string): string {
  const place = new RegExp(`(<!-- ${name}\\b[^>]*-->\\n)[\\s\\S]*?(<!-- /${name} -->)`)
  expect(text).toMatch(place)
  return text.replace(place, (_, before, after) => `${before}${content.trimEnd()}\n${after}`)
}
