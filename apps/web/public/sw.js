// Shows the offline page when the server cannot be reached. It caches only the files of that page, never
// data. The lists on the page come from localStorage, where src/lib/session/offline-lists.ts stores them for
// one session.

/** Raise the number with each change of the files below. */
const CACHE = 'pegasus-ops-offline-2'
const PAGE = '/offline.html'
const FILES = [PAGE, '/offline.css', '/offline.js', '/theme.js', '/favicon.svg']
/**
 * Addresses of API calls and downloads. If one of these fails, the offline page must not replace the
 * response.
 */
const OTHERS = /^\/(api|auth|storage|rest|spoolman|assets|metrics|healthz|readyz)(\/|$)/

self.addEventListener('install', (event) => {
  const keep = async () => {
    const cache = await caches.open(CACHE)
    await cache.addAll(FILES.map((file) => new Request(file, { cache: 'reload' })))
    await self.skipWaiting()
  }
  event.waitUntil(keep())
})

self.addEventListener('activate', (event) => {
  const takeOver = async () => {
    for (const name of await caches.keys()) if (name !== CACHE) await caches.delete(name)
    // Without preloading, each page would wait until this script has started.
    await self.registration.navigationPreload?.enable()
    await self.clients.claim()
  }
  event.waitUntil(takeOver())
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (origin !== self.location.origin || request.method !== 'GET') return
  if (request.mode === 'navigate') {
    if (!OTHERS.test(pathname)) event.respondWith(answerPage(event))
  } else if (FILES.includes(pathname)) event.respondWith(fetch(request).catch(() => keptFile(pathname)))
})

async function answerPage(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request))
  } catch {
    return keptFile(PAGE)
  }
}

async function keptFile(path) {
  return (await caches.match(path)) ?? Response.error()
}

/** Shows an alert. The message comes from the server (`pushMessage` in packages/contracts/src/channels/push-devices.ts). */
self.addEventListener('push', (event) => {
  const { title, body, path, tag } = readMessage(event.data)
  // A browser withdraws the permission from a page that gets a message and shows nothing.
  event.waitUntil(
    self.registration.showNotification(title, {
      body,
      tag,
      renotify: true,
      icon: '/icon-192.png',
      data: { path },
    }),
  )
})

/** A later version of the server can send other messages, so an unreadable one opens the app. */
function readMessage(data) {
  const unknown = { title: 'Pegasus Ops', body: 'There is a new alert.', path: '/', tag: 'unknown' }
  try {
    const { title, body, path, tag } = data.json()
    return [title, body, path, tag].every((text) => typeof text === 'string' && text)
      ? { title, body, path, tag }
      : unknown
  } catch {
    return unknown
  }
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openPage(event.notification.data.path))
})

/** Opens a page of the app in a tab that is open, or in a new one. An open tab decides itself how to get there. */
async function openPage(path) {
  const { href, origin } = new URL(path, self.location.origin)
  if (origin !== self.location.origin) return
  const tabs = await self.clients.matchAll({ type: 'window' })
  const tab = tabs.find(({ focused }) => focused) ?? tabs[0]
  if (!tab) return self.clients.openWindow(href)
  tab.postMessage({ open: path })
  await tab.focus()
}
