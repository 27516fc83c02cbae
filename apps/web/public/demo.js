// Runs before all other scripts of a demo's page, and only there (`markAsDemo` in
// apps/server/src/platform/http/web-app.ts). It separates the page from the shop at the same origin: the storage, the
// messages between tabs and the stored responses. It marks each request with a header, so that a request of this page
// never reaches the shop.
;(() => {
  const PREFIX = 'demo/'
  const HEADER = 'pegasus-demo'

  /** Returns a storage that has only the entries whose keys begin with the prefix. */
  function separate(storage) {
    const keys = () => Object.keys(storage).filter((key) => key.startsWith(PREFIX))
    return {
      get length() {
        return keys().length
      },
      key: (index) => keys()[index]?.slice(PREFIX.length) ?? null,
      getItem: (key) => storage.getItem(PREFIX + key),
      setItem: (key, value) => storage.setItem(PREFIX + key, value),
      removeItem: (key) => storage.removeItem(PREFIX + key),
      clear: () => {
        for (const key of keys()) storage.removeItem(key)
      },
    }
  }
  for (const name of ['localStorage', 'sessionStorage']) {
    let value
    try {
      value = separate(window[name])
    } catch {
      // The storage is disabled. Then the app finds none either.
      continue
    }
    Object.defineProperty(window, name, { configurable: true, value })
  }

  const isOurs = (url) => new URL(url, location.href).origin === location.origin
  const send = window.fetch.bind(window)
  window.fetch = async (input, init) => {
    const request = new Request(input, init)
    if (!isOurs(request.url)) return send(request)
    const headers = new Headers(request.headers)
    headers.set(HEADER, '1')
    // Responses of the shop are stored under the same addresses.
    const response = await send(new Request(request, { headers, cache: 'no-store' }))
    if (response.status === 410 && (await isEnd(response.clone()))) location.replace('/')
    return response
  }
  /** Returns whether the server says that the visit is over. The next page is that of the shop. */
  async function isEnd(response) {
    try {
      return (await response.json()).code === 'demo_ended'
    } catch {
      return false
    }
  }

  const { open } = XMLHttpRequest.prototype
  XMLHttpRequest.prototype.open = function (method, url, ...rest) {
    open.call(this, method, url, ...(rest.length > 0 ? rest : [true]))
    if (isOurs(url)) this.setRequestHeader(HEADER, '1')
  }

  const Channel = window.BroadcastChannel
  if (Channel)
    window.BroadcastChannel = class extends Channel {
      constructor(name) {
        super(PREFIX + name)
      }
    }
  // A browser has one address for push messages per origin, and it belongs to the shop.
  delete window.PushManager
})()
