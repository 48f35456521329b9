import { secretName } from './secret-name.js'

interface Props {
  id: string
  title?: string | null
  label?: string | undefined
}

/** The label, the title, or the start of the id. */
export function SecretName({ id, title = null, label }: Props) {
  const hasName = title !== null || label !== undefined
  return hasName ? <bdi>{secretName({ id, title }, label)}</bdi> : <code dir="ltr">{id.slice(0, 12)}</code>
}
