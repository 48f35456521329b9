import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

/** An image from memory, by a blob URL that is revoked when it is hidden. */
export function ImagePreview({ blob, name }: { blob: Blob; name: string }) {
  const { t } = useTranslation('files')
  const [address, setAddress] = useState('')
  const [isBroken, setBroken] = useState(false)
  useEffect(() => {
    const made = URL.createObjectURL(blob)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [blob])
  if (isBroken) {
    return (
      <p className="error" role="alert">
        {t('received.not-shown')}
      </p>
    )
  }
  return address && <img className="picture" src={address} alt={name} onError={() => setBroken(true)} />
}
