/** The fields of a named recipient on the lite page: the address that gets a code, then the code. */
import { requestCode } from '#shared/client/request-code'
import { site } from '../../lib/site.js'
import { byId, inputById, onClick, translate } from './dom.js'

export type RecipientFields = ReturnType<typeof createRecipientFields>

/** `accessOf`: the access proof of the link; undefined for a secret without a key. */
export function createRecipientFields(id: string, accessOf: () => string | undefined) {
  let isSent = false
  onClick('send-code', send)

  /** `hasClaim`: an earlier attempt may have been counted, and is repeated without a code. */
  function show(isRequired: boolean, hasClaim: boolean): void {
    const isAsking = isRequired && !isSent && !hasClaim
    byId('email-field').hidden = !isRequired
    byId('code-field').hidden = !isRequired || isAsking
    byId('submit').hidden = isAsking
  }

  async function send(): Promise<void> {
    const email = inputById('email')
    if (email.value.trim() === '' || !email.reportValidity()) return email.focus()
    const access = accessOf()
    await requestCode({ server: site.base }, id, { email: email.value.trim(), ...(access !== undefined && { access }) })
    isSent = true
    show(true, false)
    byId('code-sent').textContent = translate('code-sent')
    inputById('code').value = ''
    inputById('code').focus()
  }

  return {
    show,
    send,
    /** The page asks for the address first. */
    isAsking: () => byId('submit').hidden,
    /** Empty without one. */
    code: () => inputById('code').value.replaceAll(/\s/g, ''),
  }
}
