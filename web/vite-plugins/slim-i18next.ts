import type { Plugin } from 'vite'

const LOG_CALL = /(?:this\.logger|baseLogger)\.(?:(?:warn|error|log|deprecate)\(['"`]|once\()/

/** Removes the messages for developers from i18next, which the size budget of the first page needs: nothing logs them. */
export function slimI18next(): Plugin {
  return {
    name: 'slim-i18next',
    apply: 'build',
    transform: {
      filter: { id: /node_modules\/i18next\// },
      handler: (code) => code.split('\n').map(withoutLogStatement).join('\n'),
    },
  }
}

/** Replaces a statement that logs a text, if it is a line of its own, perhaps after a condition. */
function withoutLogStatement(line: string): string {
  const at = line.search(LOG_CALL)
  if (at < 0 || !line.endsWith(');')) return line
  const before = line.slice(0, at)
  const isCondition = before.trimStart().startsWith('if (') && before.endsWith(') ')
  return before.trim() === '' || isCondition ? `${before}void 0;` : line
}
