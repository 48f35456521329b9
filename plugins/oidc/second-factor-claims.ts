/** Whether a provider asked for a second factor, from the claims `amr` and `acr` of its ID token. */
import { lookUp } from '#shared/look-up'

/** Kinds of the methods in RFC 8176: knowledge, possession and biometrics. Methods of two kinds are two factors. */
const KINDS: Record<string, 'knowledge' | 'possession' | 'inherence'> = {
  kba: 'knowledge',
  pin: 'knowledge',
  pwd: 'knowledge',
  fido: 'possession',
  hwk: 'possession',
  otp: 'possession',
  pop: 'possession',
  sc: 'possession',
  sms: 'possession',
  swk: 'possession',
  tel: 'possession',
  face: 'inherence',
  fpt: 'inherence',
  iris: 'inherence',
  retina: 'inherence',
  vbm: 'inherence',
}

/** `claims`: of the ID token. `acrValues`: values that mean a second factor. */
export function hasSecondFactor({ amr, acr }: Record<string, unknown>, acrValues: string[]): boolean {
  if (typeof acr === 'string' && acrValues.includes(acr)) return true
  const methods = Array.isArray(amr) ? amr.map(String) : []
  if (methods.includes('mfa')) return true
  return new Set(methods.flatMap((method) => lookUp(KINDS, method) ?? [])).size > 1
}
