import type { Plugin } from 'vite'

/** A statement that logs a text, on a line of its own, perhaps after a condition. */
const LOG_STATEMENT =
  /^(\s*(?:if \(.*\) )?)(?:this\.logger|baseLogger)\.(?:(?:warn|error|log|deprecate)\(['"`]|once\().*\);$/gm

/** Removes the messages for developers from i18next, which the size budget of the first page needs: nothing logs them. */
export function slimI18next(): Plugin {
  return {
    name: 'slim-i18next',
    apply: 'build',
    transform: {
      filter: { id: /node_modules\/i18next\// },
      handler: (code) => code.replace(LOG_STATEMENT, '$1void 0;'),
    },
  }
}
