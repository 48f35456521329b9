import { readFileSync } from 'node:fs'
import { base64urlnopad } from '@scure/base'
import { describe, expect, test } from 'vitest'
import { formatFragment, LinkError } from './link.js'
import { parseCollectLink, parseLink, parseReceiptLink, parseRequestLink } from './parse-links.js'
import { formatReceiptLink } from './receipt-link.js'
import { LINK_TEXT_MAX } from './unwrap-text.js'

const { vectors } = JSON.parse(readFileSync(new URL('./request-vectors.json', import.meta.url), 'utf8'))
const BASE = 'https://secrets.example.org/mayfly'
const ID = 'AAECAwQFBgcICQoLDA0ODw'
const OTHER_ID = 'EAECAwQFBgcICQoLDA0ODw'
const KEY = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8'
/** With `-` and `_`, which some programs encode. */
const FRAGMENT = formatFragment(base64urlnopad.decode('h0FPlbVGGVkpq2vCJ-p32aA52VmuLPt_9Bv2hPdlWsw'))
const TOKEN = 'Zm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFyZmY'

test('a link without a key is exact, and a link with text around it is not', () => {
  const bare = `${BASE}/secret/${ID}`
  expect(parseLink(bare)).toEqual({ base: BASE, id: ID, fragment: null, isExact: true })
  expect(parseLink(`${bare}~${KEY}`)).toMatchObject({ id: `${ID}~${KEY}`, isExact: true })
  expect(parseLink(`<${bare}>`)).toMatchObject({ id: ID, isExact: false })
})

/** The parts of a link, and the parser of its kind, which returns an identifying text. */
interface Kind {
  name: string
  url: string
  fragment: string
  parse(text: string): { base: string; isExact: boolean; key: string }
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const KINDS: Kind[] = [
  {
    name: 'secret',
    url: `${BASE}/secret/${ID}`,
    fragment: FRAGMENT,
    parse: (text) => {
      const { base, id, fragment, isExact } = parseLink(text)
      return { base, isExact, key: `${id} ${fragment}` }
    },
  },
  {
    name: 'request',
    url: `${BASE}/request/${ID}`,
    fragment: vectors[1].share_fragment,
    parse: (text) => {
      const { base, id, shareSecret, fingerprint, isExact } = parseRequestLink(text)
      return { base, isExact, key: `${id} ${hex(shareSecret)} ${hex(fingerprint)}` }
    },
  },
  {
    name: 'collect',
    url: `${BASE}/collect/${ID}`,
    fragment: vectors[2].collect_fragment,
    parse: (text) => {
      const { base, id, requestKey, isExact } = parseCollectLink(text)
      return { base, isExact, key: `${id} ${hex(requestKey)}` }
    },
  },
  {
    name: 'receipt',
    url: `${BASE}/receipt`,
    fragment: formatReceiptLink({ base: BASE, token: TOKEN }).split('#')[1] ?? '',
    parse: (text) => {
      const { base, token, isExact } = parseReceiptLink(text)
      return { base, isExact, key: token }
    },
  },
]

const encode = encodeURIComponent
/** As quoted-printable: `=` is encoded, and lines are broken at 30 characters. */
const quotedPrintable = (text: string) => (text.replaceAll('=', '=3D').match(/.{1,30}/g) ?? []).join('=\r\n')
const proofpoint2 = (url: string) =>
  url.replace(/[^\w./]|_/g, (c) => `-${c.charCodeAt(0).toString(16).toUpperCase()}`).replaceAll('/', '_')
function proofpoint3(url: string): string {
  const replaced = (url.match(/[#&~]/g) ?? []).join('')
  const runs = url.replace(/[#&~]{2}/g, '**A').replace(/[#&~]/g, '*')
  return `https://urldefense.com/v3/__${runs}__;${Buffer.from(replaced).toString('base64url')}!!AbC-d_e!fGhIjK$`
}
const at = (text: string, position: number, added: string) => text.slice(0, position) + added + text.slice(position)
const entities = (text: string) => [...text].map((c) => (/\w/.test(c) ? c : `&#${c.charCodeAt(0)};`)).join('')
const safeLink = (url: string) =>
  `https://eur01.safelinks.protection.outlook.com/?url=${encode(url)}&data=05%7C02%7Cj%C3%B6rg%40example.org%7C1&sdata=x%3D&reserved=0`

/** Changes that programs make to a link. `l`: the link; `u` and `f`: its parts before and after `#`. */
const CHANGES: Record<string, (l: string, u: string, f: string) => string> = {
  'spaces around it': (l) => `  ${l} \n`,
  'angle brackets': (l) => `<${l}>`,
  'escaped angle brackets': (l) => `&lt;${l}&gt;`,
  'straight quotes': (l) => `"${l}"`,
  'curly quotes and a period': (l) => `“${l}”.`,
  'German quotes': (l) => `„${l}“`,
  guillemets: (l) => `«${l}»`,
  'parentheses and a period': (l) => `(${l}).`,
  'square brackets': (l) => `[${l}]`,
  backticks: (l) => `\`${l}\``,
  'a comma': (l) => `${l}, please open it`,
  'an exclamation mark': (l) => `${l}!`,
  'a question mark': (l) => `Is it ${l}?`,
  'a colon': (l) => `${l}:`,
  'a semicolon': (l) => `${l};`,
  'an ellipsis': (l) => `${l}…`,
  'a dash': (l) => `${l} - thanks`,
  'an em dash': (l) => `${l}—thanks`,
  'an underline of Markdown': (l) => `_${l}_`,
  'bold Markdown': (l) => `**${l}**`,
  'bold Markdown with underscores': (l) => `__${l}__`,
  'a text before it': (l) => `Grüße, der Link: ${l}`,
  'a text without a space before it': (l) => `Link:${l}`,
  'a text around it': (l) => `Here is the password:\n\n${l}\n\nIt works once. #now /secret/ https://example.org/x?y=1`,
  'a text of another script around it': (l) => `秘密はここ：${l}　です`,
  'the same link twice': (l) => `${l}\n${l}`,
  'a Markdown link': (l) => `[the password](${l})`,
  'a Markdown link with a title': (l) => `[the password](${l} "open")`,
  'a Markdown link with the link as its text': (l) => `[${l}](${l})`,
  'a Markdown autolink': (l) => `- <${l}>\n- other`,
  'a reference of Markdown': (l) => `[1]: ${l}`,
  'a link of HTML': (l) => `<a href="${l}">open</a>`,
  'a link of HTML with an escaped query': (l) => `<a href="${l}&amp;utm_source=mail">${l}</a>`,
  'a link of HTML with single quotes': (l) => `<a href='${l}'>`,
  'an encoded hash sign': (_, u, f) => `${u}%23${f}`,
  'a twice encoded hash sign': (_, u, f) => `${u}%2523${f}`,
  'an encoded hash sign and a parameter': (_, u, f) => `${u}%23${f}?utm_source=mail`,
  'a hash sign as an entity': (_, u, f) => `${u}&num;${f}`,
  'a hash sign as a decimal entity': (_, u, f) => `${u}&#35;${f}`,
  'a hash sign as a hexadecimal entity': (_, u, f) => `${u}&#x23;${f}`,
  'all punctuation as entities': (l) => entities(l),
  'slashes escaped as in JSON': (l) => JSON.stringify({ link: l }).replaceAll('/', '\\/'),
  'a hash sign escaped as in JSON': (_, u, f) => `"${u}\\u0023${f}"`,
  'a hash sign escaped as in a shell': (_, u, f) => `${u}\\#${f}`,
  'underlines and hyphens escaped as in Markdown': (l) => l.replace(/[-_#]/g, '\\$&'),
  'a link in full width': (l) => l.replace(/[!-~]/g, (each) => String.fromCharCode(each.charCodeAt(0) + 0xfee0)),
  'a hash sign in full width': (_, u, f) => `${u}＃${f}`,
  'a query before the fragment': (_, u, f) => (u.endsWith('receipt') ? `${u}/#${f}` : `${u}?utm_source=mail&a=b#${f}`),
  'a slash before the fragment': (_, u, f) => `${u}/#${f}`,
  'a parameter after the fragment': (l) => `${l}&utm_source=newsletter&utm_medium=email`,
  'a query after the fragment': (l) => `${l}?fbclid=IwAR0-abc_def`,
  'an escaped parameter after the fragment': (l) => `${l}&amp;utm_source=mail`,
  'an encoded parameter after the fragment': (l) => `${l}%26utm_source%3Dmail`,
  'a text fragment': (l) => `${l}:~:text=secret`,
  'an encoded space at the end': (l) => `${l}%20`,
  'encoded quotes': (l) => `%22${l}%22`,
  'encoded characters of the fragment': (_, u, f) =>
    `${u}#%31${f.slice(1).replaceAll('-', '%2D').replaceAll('_', '%5F')}`,
  'all characters of the fragment encoded': (_, u, f) =>
    `${u}#${[...f].map((c) => `%${c.charCodeAt(0).toString(16)}`).join('')}`,
  'an encoded link': (l) => encode(l),
  'a twice encoded link': (l) => encode(encode(l)),
  'a Google redirect': (l) =>
    `https://www.google.com/url?q=${encode(l)}&sa=D&source=editors&ust=1700000000000000&usg=AOvVaw0_x-y`,
  'a Google redirect without encoding': (l) => `https://www.google.com/url?q=${l.replace('#', '%23')}&sa=D`,
  'a redirect of Facebook': (l) => `https://l.facebook.com/l.php?u=${encode(l)}&h=AT0-x_y&__tn__=R]-R&c[0]=AT`,
  'an Outlook SafeLink': (l) => safeLink(l),
  'an Outlook SafeLink in HTML': (l) => `<a href="${safeLink(l).replaceAll('&', '&amp;')}" originalsrc="${l}">x</a>`,
  'an Outlook SafeLink around a Google redirect': (l) => safeLink(`https://www.google.com/url?q=${encode(l)}&sa=D`),
  'a SafeLink of Teams': (l) =>
    `https://statics.teams.cdn.office.net/evergreen-assets/safelinks/1/atp-safelinks.html?url=${encode(l)}&locale=en-us&dest=${encode(l)}`,
  'Proofpoint 2': (l) => `https://urldefense.proofpoint.com/v2/url?u=${proofpoint2(l)}&d=DwMFaQ&c=x&r=y&m=z&s=t&e=`,
  'Proofpoint 2 with a text': (l) => `See <https://urldefense.proofpoint.com/v2/url?u=${proofpoint2(l)}&d=DwMFaQ> now`,
  'Proofpoint 3': (l) => proofpoint3(l),
  'Proofpoint 3 in HTML': (l) => `<a href="${proofpoint3(l)}">x</a>`,
  'Proofpoint 3 with a parameter': (l) => proofpoint3(`${l}&utm_source=mail`),
  'Proofpoint 3 with a run of replaced characters': (l) => proofpoint3(`${l}&&a=b&c`),
  'Proofpoint 3 with one slash': (l) => proofpoint3(l.replace('//', '/')),
  'Proofpoint 3 inside a SafeLink': (l) => safeLink(proofpoint3(l)),
  'a link of Slack': (l) => `<${l}|${l.slice(0, 30)}…>`,
  'a link of Slack with itself as its text': (l) => `<${l}|${l}>`,
  'a link of Slack with a short text': (l) => `Here: <${l}|the password> :key:`,
  'a redirect with parameters around it': (l) => `https://click.example.net/?id=7&url=${encode(l)}&sig=abc-_d`,
  'quoted-printable': (l) => quotedPrintable(`Link: ${l}\r\n`),
  'quoted-printable with LF': (l) => quotedPrintable(l).replaceAll('\r\n', '\n'),
  'quoted-printable HTML': (l) => quotedPrintable(`<a class="x" href="${l}&amp;a=b">é</a>`),
  'lines of 40 characters': (l) => (l.match(/.{1,40}/g) ?? []).join('\n'),
  'lines of 7 characters': (l) => (l.match(/.{1,7}/g) ?? []).join('\r\n'),
  'wrapped lines before another text': (l) => `${(l.match(/.{1,50}/g) ?? []).join('\r\n')}\r\nThanks, Zoë`,
  'lines of a reply': (l) => `> Hello,\n> ${(l.match(/.{1,40}/g) ?? []).join('\n> ')}\n>\n> Bye`,
  'lines of a reply to a reply': (l) => `>> ${(l.match(/.{1,40}/g) ?? []).join(' \n>> ')}`,
  'indented lines': (l) => (l.match(/.{1,40}/g) ?? []).map((line) => `    ${line}  `).join('\n'),
  'a line break before the fragment': (_, u, f) => `${u}\n#${f}`,
  'a space inside the fragment': (l) => at(l, l.length - 9, ' '),
  'Unicode line separators': (l) => at(at(l, l.length - 9, '\u2028'), 12, '\u2029'),
  'zero-width spaces': (l) => at(at(l, l.length - 9, '\u200b'), 24, '\u200b'),
  'encoded zero-width spaces': (l) => at(l, l.length - 9, '%E2%80%8B'),
  'zero-width joiners and a byte order mark': (l) => `\ufeff${at(l, l.length - 9, '\u200d\u2060')}`,
  'soft hyphens': (l) => at(at(l, l.length - 20, '\u00ad'), 15, '\u00ad'),
  'marks of the text direction': (l) => `\u202a\u2066${l}\u2069\u202c`,
  'an upper-case host': (l) => l.replace('https://secrets.example.org', 'HTTPS://SECRETS.EXAMPLE.ORG'),
  'a path in capitals': (l) => l.replace(/\/(secret|request|collect|receipt)/, (path) => path.toUpperCase()),
  'the default port': (l) => l.replace('.org', '.org:443'),
  'a mention in JSON': (l) => JSON.stringify({ text: `Look: ${l}`, é: 1 }),
  'a part that was cut in the text': (l) => `[${l.slice(0, 50)}…](${l})`,
}

describe.each(KINDS)('a $name link', ({ name, url, fragment, parse }) => {
  const link = `${url}#${fragment}`
  const expected = { base: BASE, key: parse(link).key }

  test('is exact alone', () => {
    expect(parse(link)).toEqual({ ...expected, isExact: true })
    expect(parse(` ${link}\n`).isExact).toBe(true)
  })

  test.each(Object.entries(CHANGES))('CRY-16: is found with %s', (_, change) => {
    expect(parse(change(link, url, fragment))).toMatchObject(expected)
  })

  test.each(['a text before it', 'an encoded hash sign', 'a parameter after the fragment', 'an Outlook SafeLink'])(
    'is not exact with %s',
    (change) => {
      expect(parse((CHANGES[change] as (...parts: string[]) => string)(link, url, fragment)).isExact).toBe(false)
    },
  )

  test.each([
    ['a character missing', link.slice(0, -1)],
    ['a changed character', at(link, link.length - 9, link.at(-9) === 'x' ? 'y' : 'x').replace(/.$/, '')],
    ['a letter appended', `${link}a`],
    ['a word appended', `${link}and`],
    ['its fragment cut, before a text', `${link.slice(0, -6)} Thanks for it`],
    ['its fragment cut, before a line', `${link.slice(0, -6)}\nThanks for it`],
    ['its fragment cut, encoded', encode(link.slice(0, -1))],
    ['an empty fragment', `${url}#`],
  ])('CRY-16: is incomplete with %s', (_, text) => expect(problemOf(() => parse(text))).toBe('incomplete'))

  test.each(['2', '9', 'k'])('needs a newer version with the version %s', (version) => {
    expect(problemOf(() => parse(`${url}#${version}${fragment.slice(1)}`))).toBe('newer-version')
    expect(problemOf(() => parse(safeLink(`${url}#${version}${fragment.slice(1)}more`)))).toBe('newer-version')
  })

  test('CRY-16: is refused beside another link of its kind', () => {
    const others = [link.replace('secrets.', 'others.'), link.replace('https', 'http')]
    if (name !== 'receipt') others.push(link.replace(ID, OTHER_ID))
    for (const other of others) {
      for (const text of [`${link} ${other}`, `[${other}](${link})`, `${link}\n${encode(other)}`])
        expect(
          problemOf(() => parse(text)),
          text,
        ).toBe('several')
    }
  })

  test('is found beside a link of another kind, which alone is refused', () => {
    for (const other of KINDS.filter((each) => each.name !== name)) {
      const otherLink = `${other.url}#${other.fragment}`
      expect(parse(`${otherLink} ${link}`)).toMatchObject(expected)
      expect(() => parse(otherLink)).toThrow(/^this is a.* is needed$/)
    }
  })

  test.each([
    '',
    'hé',
    'https://example.org/',
    `ftp://example.org/${name}/${ID}#x`,
    `/${name}/${ID}`,
    'x'.repeat(LINK_TEXT_MAX + 1),
  ])('is not in %.40j', (text) => expect(problemOf(() => parse(text))).toBe('not-a-link'))
})

describe('a link to a secret', () => {
  const url = `${BASE}/secret/${ID}`
  const place = { base: BASE, id: ID }
  test.each([
    ['without a key', url, null],
    ['without a key, with a slash', `${url}/`, null],
    ['without a key, in a sentence', `(see ${url}).`, null],
    ['without a key, encoded', encode(`${url} `), null],
    ['without a key, with a query', `${url}?utm_source=mail`, null],
    ['without a key, in Proofpoint 3', proofpoint3(url), null],
    ['whose key follows', `${url}#0`, '0'],
    ['whose key follows, with a parameter', `${url}#0&utm_source=mail`, '0'],
    ['whose key follows, in a sentence', `It is ${url}#0. The key follows.`, '0'],
    ['whose key follows, encoded', `${url}%230`, '0'],
    ['whose key follows, in a SafeLink', safeLink(`${url}#0`), '0'],
    ['whose key follows, in Proofpoint 3', proofpoint3(`${url}#0`), '0'],
    ['with the key in the path', `${BASE}/secret/${FRAGMENT}/${ID}`, FRAGMENT],
    ['of the lite version', `${BASE}/lite/${ID}#${FRAGMENT}`, FRAGMENT],
  ])('%s', (_, text, fragment) => expect(parseLink(text)).toMatchObject({ ...place, fragment }))

  test.each([
    `${BASE}/secret/${ID}~${KEY}`,
    `${BASE}/secret/${ID}%7E${KEY}`,
    `“${BASE}/secret/${ID}~${KEY}”!`,
    encode(`${BASE}/secret/${ID}~${KEY}`),
    proofpoint3(`${BASE}/secret/${ID}~${KEY}`),
    `${BASE}/secret/${ID}~${KEY.slice(0, 20)}\n${KEY.slice(20)}`,
  ])('to a raw secret: %s', (text) => {
    expect(parseLink(text)).toMatchObject({ base: BASE, id: `${ID}~${KEY}`, fragment: null })
  })

  test.each(['secret', 'lite', 'request', 'collect', 'receipt'])('the base of an instance ends in /%s', (word) => {
    const base = `https://example.org/${word}`
    expect(parseLink(`${base}/secret/${ID}#${FRAGMENT}`)).toEqual({ base, id: ID, fragment: FRAGMENT, isExact: true })
    expect(parseReceiptLink(formatReceiptLink({ base, token: TOKEN }))).toEqual({ base, token: TOKEN, isExact: true })
  })

  test('of a server without a path, or with an IPv6 address', () => {
    expect(parseLink(`http://localhost:3000/secret/${ID}`).base).toBe('http://localhost:3000')
    expect(parseLink(`[x](http://[::1]:3000/secret/${ID}#${FRAGMENT})`).base).toBe('http://[::1]:3000')
  })

  test.each([
    `${BASE}/secret/short`,
    `${BASE}/secret/%zz`,
    `${BASE}/secret/${ID}x`,
    `${BASE}/secret/${ID}~${KEY.slice(1)}`,
    `https://evil.example/?x=${BASE.slice(8)}/secret/${ID}#${FRAGMENT}`,
  ])('is not in %s', (text) => expect(problemOf(() => parseLink(text))).toBe('not-a-link'))
})

test('CRY-16: a hostile text takes little time', () => {
  const pieces = [
    '/secret/',
    'https://',
    '%25',
    '&amp;',
    '=3D=\n',
    '**',
    ' ',
    '\n',
    `${BASE}/secret/${ID}#1`,
    'urldefense.com/v3/__',
  ]
  const repeat = (piece: string) => piece.repeat(Math.floor(LINK_TEXT_MAX / piece.length))
  for (const piece of [...pieces, pieces.join(''), `https://urldefense.com/v3/__${'*'.repeat(500)}__;`]) {
    const before = process.cpuUsage()
    expect(() => parseLink(repeat(piece))).toThrow(LinkError)
    expect(process.cpuUsage(before).user / 1000, piece.slice(0, 30)).toBeLessThan(2000)
  }
})

function problemOf(run: () => unknown): unknown {
  try {
    run()
    return 'none'
  } catch (error) {
    return error instanceof LinkError ? error.problem : error
  }
}
