import { useRef } from 'react'
import { type FormOptions, useForm } from './use-form.js'

export type FormDialogState = ReturnType<typeof useFormDialog>

/** A form for `FormDialog`, which closes when `send` resolves to anything but false. */
export function useFormDialog<Name extends string = never>(options: FormOptions<Name>) {
  const dialog = useRef<HTMLDialogElement>(null)
  const send = async () => {
    if ((await options.send()) !== false) dialog.current?.close()
  }
  return { ...useForm<Name>({ ...options, send }), dialog }
}
