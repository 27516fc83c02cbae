import { describe, expect, it } from 'vitest'
import { findTotpStep, newTotpSecret, totpUri } from './totp.ts'

/**
 * The test vectors of RFC 6238, appendix B. The secret is the text `12345678901234567890` in Base32. The codes are the
 * last six of the eight digits there.
 */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const VECTORS = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const

const at = (seconds: number): Date => new Date(seconds * 1000)

describe('codes of authenticator apps', () => {
  it.each(VECTORS)(
    'the code of an authenticator app at second %i is the code that RFC 6238 lists',
    (seconds, code) => {
      expect(findTotpStep(SECRET, code, at(seconds))).toBe(Math.floor(seconds / 30))
    },
  )

  it('a code of an authenticator app is valid up to 30 seconds before and after its time step', () => {
    const [seconds, code] = VECTORS[3]
    const step = Math.floor(seconds / 30)
    const start = step * 30
    const moments = [start - 31, start - 30, start, start + 29, start + 59, start + 60]
    expect(moments.map((moment) => findTotpStep(SECRET, code, at(moment)))).toEqual([
      null,
      step,
      step,
      step,
      step,
      null,
    ])
  })

  it('codes of authenticator apps have six digits, with optional spaces between the digits', () => {
    const [seconds, code] = VECTORS[3]
    expect(findTotpStep(SECRET, ` ${code.slice(0, 3)} ${code.slice(3)} `, at(seconds))).not.toBeNull()
    const wrong = [
      '',
      '5924',
      '0005924',
      '5924.0',
      '+05924',
      '0x1724',
      '００５９２４',
      `${code}\0`,
      '1e5',
      'abcdef',
    ]
    expect(wrong.filter((each) => findTotpStep(SECRET, each, at(seconds)) !== null)).toEqual([])
  })

  it('each authenticator app gets a different secret of 160 bits', () => {
    const secrets = Array.from({ length: 100 }, newTotpSecret)
    expect(secrets.filter((secret) => !/^[A-Z2-7]{32}$/.test(secret))).toEqual([])
    expect(new Set(secrets).size).toBe(100)
  })

  it('the otpauth address for an authenticator app keeps every name intact', () => {
    const uri = new URL(totpUri(SECRET, { issuer: 'a:b&c=d', account: 'ann+x@example.com' }))
    expect(uri.protocol).toBe('otpauth:')
    expect(Object.fromEntries(uri.searchParams)).toEqual({
      issuer: 'a:b&c=d',
      secret: SECRET,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    })
    expect(decodeURIComponent(uri.pathname)).toContain('a:b&c=d:ann+x@example.com')
  })
})
