import type { Plugin } from 'vite'

/**
 * Shrinks react-router by 4 kB (Brotli), which the size budget of the first page needs: the debug names of its components keep
 * unused code from being removed, and its messages for developers are dropped.
 */
export function slimReactRouter(): Plugin {
  return {
    name: 'slim-react-router',
    apply: 'build',
    transform: {
      filter: { id: /node_modules\/react-router\// },
      handler: (code) =>
        code
          .replace(/^\w+\.displayName = .*;$/gm, '')
          .replace(/= (React\d*\.(forwardRef|createContext|memo)\()/g, '= /*@__PURE__*/ $1')
          .replace(/"(?:[^"\\\n]|\\.)*"/g, (text) => (text.split(' ').length > 5 ? '""' : text)),
    },
  }
}
