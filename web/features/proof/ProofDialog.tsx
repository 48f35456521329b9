import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ProofOptions } from '#shared/api'
import { FormDialog } from '../../forms/FormDialog.js'
import { OtherMethods } from '../../forms/proof/OtherMethods.js'
import { ProofFields } from '../../forms/proof/ProofFields.js'
import type { TypedMethod } from '../../forms/proof/proof-method.js'
import { useProofMethods } from '../../forms/proof/use-proof-methods.js'
import { useFormDialog } from '../../forms/use-form-dialog.js'
import type { ProofRequest } from '../../lib/proof-request.js'
import { useSession } from '../../lib/session/session-store.js'
import { loadPasskeyRequest, loadProofOptions, sendProof } from './proof-api.js'
import { SignInAgain } from './SignInAgain.js'

interface Props {
  request: ProofRequest
}

/** Asks the user to prove who they are. The page below it stays, with all typed values. */
export default function ProofDialog({ request }: Props) {
  const [options, setOptions] = useState<ProofOptions | null>(null)
  useEffect(() => {
    loadProofOptions().then(setOptions, request.fail)
  }, [request])
  return options && <OpenDialog request={request} methods={options.methods} />
}

function OpenDialog({ request, methods: accepted }: Props & Pick<ProofOptions, 'methods'>) {
  const { t } = useTranslation('proof')
  const username = useSession()?.username ?? ''
  const methods = useProofMethods({ methods: accepted, loadPasskeyRequest, send: sendProof })
  const needsSignIn = !methods.isPossible && accepted.includes('sign-in')
  const isProven = useRef(false)
  const form = useFormDialog<TypedMethod>({
    ...methods.formOptions,
    async send() {
      isProven.current = needsSignIn || (await methods.formOptions.send()) !== false
      return isProven.current
    },
  })
  return (
    <FormDialog
      form={form}
      heading={t('heading')}
      explanation={<p>{t('explanation')}</p>}
      cancelLabel={t('cancel')}
      submitLabel={t(needsSignIn ? 'common:continue' : methods.typed === null ? 'use.passkey' : 'confirm')}
      busyLabel={t('busy')}
      isReady={needsSignIn || methods.isPossible}
      onClosed={() => request.settle(isProven.current)}
    >
      {needsSignIn && <SignInAgain />}
      {!needsSignIn && !methods.isPossible && <p>{t('impossible')}</p>}
      <ProofFields methods={methods} form={form} username={username} />
      <OtherMethods methods={methods} form={form} />
    </FormDialog>
  )
}
