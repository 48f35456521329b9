/** Plans the requests of `verify-web`: a server cannot distinguish them from browsers that open links. */
import { randomBytes, randomInt } from 'node:crypto'
import { lookUp } from '#shared/look-up'

/** Visits of each address: the server may change a page for a second visit only. */
const VISITS = 2
/** Addresses of each route. */
const ADDRESSES = 2

/** Usual values of `User-Agent`. */
const USER_AGENTS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:150.0) Gecko/20100101 Firefox/150.0',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/605.1.15',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1',
]

/** Values of the parameters of routes, in the form of real ones. */
const PARAMETERS: Record<string, (address: number) => string> = {
  // The second one is for a secret that the server encrypts.
  ':secretId': (address) => (address === 1 ? `${randomId()}~${randomKey()}` : randomId()),
  ':requestId': () => randomId(),
  ':encryptionKey': () => `1${randomKey()}`,
  ':username': () => randomBytes(6).toString('hex'),
  ':webhookId': () => randomBytes(16).toString('hex'),
}

/**
 * Paths of every route with random parameters, each several times, in random order. `routes`: such as
 * `/secret/:secretId`.
 */
export function planPageVisits(routes: string[]): string[] {
  const addresses = routes.flatMap((route) =>
    Array.from({ length: ADDRESSES }, (_, address) => fillRoute(route, address)),
  )
  return shuffle(addresses.flatMap((path) => Array<string>(VISITS).fill(path)))
}

/** Throws for a route with a parameter that has no values above. */
const fillRoute = (route: string, address: number): string =>
  route.replace(/:\w+/g, (name) => {
    const create = lookUp(PARAMETERS, name)
    if (!create) throw new Error(`unknown parameter ${name}`)
    return create(address)
  })

export function shuffle<Item>(items: Item[]): Item[] {
  const shuffled = [...items]
  for (let last = shuffled.length - 1; last > 0; last--) {
    const other = randomInt(last + 1)
    const [a, b] = [shuffled[last] as Item, shuffled[other] as Item]
    shuffled[last] = b
    shuffled[other] = a
  }
  return shuffled
}

/** Without zstd, which Node.js 20 cannot decompress; some browsers do not accept it either. */
const ENCODINGS = 'gzip, deflate, br'

/** Headers of one browser that opens a link from another program, and loads the files of the page. */
export function createBrowserHeaders() {
  const common = {
    'user-agent': USER_AGENTS[randomInt(USER_AGENTS.length)] as string,
    'accept-language': 'en-US,en;q=0.5',
    'accept-encoding': ENCODINGS,
  }
  return {
    page: {
      ...common,
      accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
      'upgrade-insecure-requests': '1',
      'sec-fetch-dest': 'document',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-site': 'none',
      'sec-fetch-user': '?1',
    },
    file: (name: string) => ({
      ...common,
      accept: '*/*',
      'sec-fetch-dest': findDestination(name),
      'sec-fetch-mode': 'cors',
      'sec-fetch-site': 'same-origin',
    }),
  }
}

const DESTINATIONS: Record<string, string> = { js: 'script', css: 'style', woff2: 'font', svg: 'image', png: 'image' }

const findDestination = (name: string): string => lookUp(DESTINATIONS, name.split('.').at(-1) ?? '') ?? 'empty'

const randomId = () => randomBytes(16).toString('base64url')
const randomKey = () => randomBytes(32).toString('base64url')
