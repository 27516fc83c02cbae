import type { TestApp } from '../../build-test-app.ts'

type CookieJar = Map<string, string>

const cookieHeader = (jar: CookieJar): string =>
  [...jar].map(([name, value]) => `${name}=${value}`).join('; ')

function keepCookies(jar: CookieJar, cookies: readonly string[]): void {
  for (const text of cookies) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
    if (value === '') jar.delete(name)
    else jar.set(name, value)
  }
}

/**
 * Follows redirects and keeps cookies, like a browser. Sends requests for pages of the app directly to the app, without
 * a port.
 */
export class Browser {
  readonly #jars = new Map<string, Map<string, string>>()
  readonly #app: TestApp

  constructor(app: TestApp) {
    this.#app = app
  }

  #jarOf({ host }: URL): Map<string, string> {
    const jar = this.#jars.get(host) ?? new Map<string, string>()
    this.#jars.set(host, jar)
    return jar
  }

  async #visit(url: URL): Promise<{ status: number; location: string | null; body: string }> {
    const jar = this.#jarOf(url)
    const cookie = cookieHeader(jar)
    const isOurs = url.origin === new URL(this.#app.config.publicUrl).origin
    const answer = isOurs
      ? await this.#inject(url, cookie)
      : await fetch(url, { headers: { cookie }, redirect: 'manual' })
    const cookies =
      answer instanceof Response ? answer.headers.getSetCookie() : [answer.headers['set-cookie'] ?? []].flat()
    keepCookies(jar, cookies)
    if (answer instanceof Response)
      return { status: answer.status, location: answer.headers.get('location'), body: await answer.text() }
    return { status: answer.statusCode, location: answer.headers.location ?? null, body: answer.body }
  }

  /** Calls the app as a script of its page would. Returns the response. */
  async callFromPage(address: string, headers: Record<string, string>) {
    const url = new URL(address, this.#app.config.publicUrl)
    const jar = this.#jarOf(url)
    const answer = await this.#app.http.inject({
      url: url.pathname + url.search,
      headers: { ...headers, cookie: cookieHeader(jar), 'sec-fetch-site': 'same-origin' },
    })
    keepCookies(jar, [answer.headers['set-cookie'] ?? []].flat())
    return answer
  }

  #inject = (url: URL, cookie: string) =>
    this.#app.http.inject({ url: url.pathname + url.search, headers: { cookie } })

  /**
   * Follows redirects until `stopsAt` matches an address, and returns that address. Throws an error if a page
   * is shown before that.
   */
  async follow(address: string, stopsAt: (url: URL) => boolean = () => false): Promise<URL> {
    let url = new URL(address, this.#app.config.publicUrl)
    for (let hops = 0; hops < 20; hops += 1) {
      if (stopsAt(url)) return url
      const { status, location, body } = await this.#visit(url)
      if (status < 300 || status >= 400)
        throw new Error(`${url.href} answered ${status} ${body.slice(0, 500)}`)
      url = new URL(location ?? '', url)
    }
    throw new Error('too many redirects')
  }
}
