import { describe, expect, it } from 'vitest'
import { createRedirects } from './redirects.ts'

const PUBLIC_URL = 'https://ops.example.com'

const FOREIGN = [
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  'https://evil.example',
  'https://evil.example\\@ops.example.com/',
  'http://ops.example.com/',
  'https://ops.example.com.evil.example/',
  'https://ops.example.com:8443/',
  'https://ops.example.com@evil.example/',
  'https://user:pass@ops.example.com/',
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'data:text/html,hello',
  'blob:https://ops.example.com/1',
  'file:///etc/passwd',
  'pegasus://open',
  'https://%65vil.example/',
  'https://[::1]/',
  'https://',
]

describe('redirects', () => {
  it('T38 without a list of other addresses, redirects lead only to our own origin', () => {
    const redirects = createRedirects(PUBLIC_URL)
    const led = FOREIGN.filter((redirectTo) => redirects.allow(redirectTo) !== null)
    console.info(`T38 foreign targets followed ${led.length} of ${FOREIGN.length}`)
    expect(led).toEqual([])
  })

  it.each([
    ['/login', 'https://ops.example.com/login'],
    ['https://ops.example.com/a?b=c#d', 'https://ops.example.com/a?b=c#d'],
    ['/a/../../b', 'https://ops.example.com/b'],
    ['https:evil.example', 'https://ops.example.com/evil.example'],
    ['reset', 'https://ops.example.com/reset'],
    [undefined, null],
    ['', null],
  ])('a redirect to %j leads to %j', (redirectTo, target) => {
    expect(createRedirects(PUBLIC_URL).allow(redirectTo)).toBe(target)
  })

  it('redirects keep the query of the page, and add fields to the fragment or the query', () => {
    const redirects = createRedirects(PUBLIC_URL)
    const page = 'https://ops.example.com/a?b=c#d'
    expect(redirects.withFields(page, { code: 'x y' }, 'query')).toBe(
      'https://ops.example.com/a?b=c&code=x+y',
    )
    expect(redirects.withFields(page, { x: '1' }, 'fragment')).toBe('https://ops.example.com/a?b=c#x=1')
    expect(redirects.withFields(null, { x: '1' }, 'both')).toBe('https://ops.example.com/?x=1#x=1')
  })

  it('redirects to other origins lead only to the addresses that the configuration lists', () => {
    const { allow } = createRedirects(PUBLIC_URL, [
      'https://*.example.org/welcome',
      'https://app.example.net/**',
      'pegasus://open',
    ])
    const allowed = [
      'https://one.example.org/welcome',
      'https://one.example.org/welcome#part',
      'https://app.example.net/a/b.html?x=1',
      'pegasus://open',
      'https://ops.example.com/scan',
    ]
    const refused = [
      'https://one.two.example.org/welcome',
      'https://evil.example/.example.org/welcome',
      'https://one.example.org/welcome?x=1',
      'https://app.example.net.evil.example/',
      'https://appXexample.net/',
      'http://app.example.net/',
      'https://user@app.example.net/',
      'pegasus://open/other',
    ]
    expect(allowed.map((redirectTo) => allow(redirectTo))).toEqual(allowed)
    expect(refused.map((redirectTo) => allow(redirectTo))).toEqual(refused.map(() => null))
    const all = createRedirects(PUBLIC_URL, ['**'])
    expect(
      ['javascript:alert(1)', 'data:text/html,a', 'file:///etc/passwd'].map((redirectTo) =>
        all.allow(redirectTo),
      ),
    ).toEqual([null, null, null])
  })
})
