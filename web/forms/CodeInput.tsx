import type { ComponentProps } from 'react'

/** An input for a key or an address, which browsers neither complete nor correct. */
export function CodeInput(input: ComponentProps<'input'>) {
  return <input className="mono" dir="ltr" autoComplete="off" autoCapitalize="none" spellCheck={false} {...input} />
}
