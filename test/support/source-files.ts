/** The project's own sources as TypeScript reads them: for tests that hold them to rules. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const NOT_OURS = new Set(['node_modules', 'dist', 'data'])

export interface Import {
  specifier: string
  /** `type`: erased by the compiler. `lazy`: `import()`. */
  kind: 'static' | 'type' | 'lazy'
}

/** Paths under the project's root of all files whose name ends so, sorted. */
export function filesEnding(...endings: string[]): string[] {
  return walk(ROOT)
    .map((path) => relative(ROOT, path))
    .filter((path) => endings.some((ending) => path.endsWith(ending)))
    .sort()
}

/** `path` under the project's root. Comments are not parsed. */
export function parse(path: string, text = readFileSync(join(ROOT, path), 'utf8')): ts.SourceFile {
  const options = { languageVersion: ts.ScriptTarget.Latest, jsDocParsingMode: ts.JSDocParsingMode.ParseNone }
  return ts.createSourceFile(path, text, options, true)
}

/** Every import of a file, `export … from` and `import('x').T` included. Computed names are not in it. */
export function importsOf(file: ts.SourceFile, nodes = nodesOf(file)): Import[] {
  return nodes.flatMap((node) => {
    const [name, kind] = importOf(node)
    return name && ts.isStringLiteralLike(name) ? { specifier: name.text, kind } : []
  })
}

/** The node and everything below it. */
export function nodesOf(node: ts.Node): ts.Node[] {
  const nodes: ts.Node[] = []
  const visit = (each: ts.Node): void => {
    nodes.push(each)
    ts.forEachChild(each, visit)
  }
  visit(node)
  return nodes
}

function importOf(node: ts.Node): [name: ts.Node | undefined, kind: Import['kind']] {
  if (ts.isImportDeclaration(node)) return [node.moduleSpecifier, node.importClause?.isTypeOnly ? 'type' : 'static']
  if (ts.isExportDeclaration(node)) return [node.moduleSpecifier, node.isTypeOnly ? 'type' : 'static']
  if (ts.isImportTypeNode(node))
    return [ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined, 'type']
  if (ts.isExternalModuleReference(node)) return [node.expression, 'static']
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
    return [node.arguments[0], 'lazy']
  return [undefined, 'static']
}

function walk(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name.startsWith('.') || NOT_OURS.has(entry.name)) return []
    const path = join(folder, entry.name)
    return entry.isDirectory() ? walk(path) : path
  })
}
