/** Links of every kind, as people paste them. */
import { formatLink, isSecretId, LinkError } from '#shared/link'
import { parseCollectLink, parseLink, parseReceiptLink, parseRequestLink } from '#shared/parse-links'
import { parsePastedKey } from '#shared/pasted-key'
import { formatReceiptLink } from '#shared/receipt-link'
import { formatCollectLink, formatRequestLink, isRequestId } from '#shared/request-link'
import { assert, attemptSync, type FuzzTarget, toText } from '../target.js'

const isLinkError = (error: unknown) => error instanceof LinkError
const parse = <T>(parser: (text: string) => T, text: string): T | null => attemptSync(() => parser(text), isLinkError)
const isUrl = (base: string) => /^https?:\/\/[^\s#?]+$/.test(base) && URL.canParse(base)

export const links: FuzzTarget = {
  tokens: [
    'https://secrets.example.org/secret/lN8gRzVwQ1q2Xy3ZtUvAbA#1',
    'http://[::1]:3000/base/',
    '/lite/',
    '/request/',
    '/collect/',
    '/receipt#',
    '#0',
    '%2F',
    '=3D',
    '=\r\n',
    '&#x23;',
    '&num;',
    '> ',
    '~',
    'https://urldefense.com/v3/__https://',
    '__;Iw!!',
    'https://urldefense.proofpoint.com/v2/url?u=https-3A__',
    '**A',
    '\u200b',
    '\u202e',
  ],
  run(bytes) {
    const text = toText(bytes)
    const link = parse(parseLink, text)
    if (link) {
      assert(isUrl(link.base) && isSecretId(link.id), 'a link has a base and a valid id')
      const again = parse(parseLink, formatLink(`${link.base}/secret/${link.id}`, link.fragment))
      const isSame = JSON.stringify(again) === JSON.stringify({ ...link, isExact: true })
      // The base may contain another link, encoded.
      assert(isSame || /[%*]/.test(link.base), 'a found link is found again')
    }
    const request = parse(parseRequestLink, text)
    if (request) {
      assert(isUrl(request.base) && isRequestId(request.id), 'a request link has a base and a valid id')
      assert(parse(parseRequestLink, formatRequestLink(request))?.isExact === true, 'a request link is found again')
    }
    const collect = parse(parseCollectLink, text)
    if (collect) {
      assert(isUrl(collect.base) && isRequestId(collect.id), 'a collect link has a base and a valid id')
      assert(parse(parseCollectLink, formatCollectLink(collect))?.isExact === true, 'a collect link is found again')
    }
    const receipt = parse(parseReceiptLink, text)
    if (receipt) {
      assert(isUrl(receipt.base), 'a receipt link has a base')
      assert(parse(parseReceiptLink, formatReceiptLink(receipt))?.isExact === true, 'a receipt link is found again')
    }
    parse(parsePastedKey, text)
  },
}
