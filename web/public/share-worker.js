// Service worker of the installed app: passes what another program shares to the page /share. It handles no other
// request, stores nothing, and forgets what no page has taken within a minute. See docs/decisions/093-share-target.md.
const KEPT_MS = 60_000
const page = new URL(registration.scope)
let shared = null
let release = () => {}

addEventListener('install', () => skipWaiting())

addEventListener('fetch', (event) => {
  const { method, url } = event.request
  if (method !== 'POST' || new URL(url).pathname !== page.pathname) return
  event.respondWith(receive(event.request))
  // The browser may end a worker without work.
  event.waitUntil(new Promise((resolve) => (release = resolve)))
  setTimeout(forget, KEPT_MS)
})

addEventListener('message', ({ ports: [port] }) => {
  port?.postMessage(shared)
  forget()
})

async function receive(request) {
  shared = null
  if (isForeign(request)) forget()
  else if (await isRemoved()) await registration.unregister()
  // Rejects for text that is not UTF-8.
  else shared = await request.formData().then(readForm, forget)
  return Response.redirect(page.href, 303)
}

function readForm(form) {
  const text = ['title', 'text', 'url'].map((name) => form.get(name)).filter((each) => typeof each === 'string')
  return { text, files: form.getAll('files').filter((each) => typeof each !== 'string') }
}

// A share comes from no page. The page checks more, because a site can hide where it is.
function isForeign({ headers, referrer }) {
  const origins = [headers.get('Origin'), referrer && new URL(referrer).origin]
  return origins.some((origin) => origin && origin !== 'null' && origin !== location.origin)
}

// The server has no such file since it was updated.
async function isRemoved() {
  const response = await fetch(location.href, { method: 'HEAD', cache: 'no-store' }).catch(() => null)
  return response?.status === 404
}

function forget() {
  shared = null
  release()
  return null
}
