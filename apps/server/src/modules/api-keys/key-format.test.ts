import { describe, expect, it } from 'vitest'
import { looksLikeKey, makeKey, readKey } from './key-format.ts'

const FORM = /^pgo_[0-9A-Za-z]{12}_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/

describe('the format of API keys', () => {
  it('an API key begins with a fixed prefix, has 256 bits of secret and a checksum, and is unique', () => {
    const keys = Array.from({ length: 500 }, () => makeKey())
    for (const { key, prefix, hash } of keys) {
      expect(key).toMatch(FORM)
      expect(key.startsWith(`${prefix}_`)).toBe(true)
      expect(prefix).toHaveLength('pgo_'.length + 12)
      expect(readKey(key)).toEqual({ prefix, hash })
      expect(looksLikeKey(key)).toBe(true)
    }
    expect(new Set(keys.map(({ prefix }) => prefix)).size).toBe(keys.length)
    expect(62n ** 43n).toBeGreaterThanOrEqual(2n ** 256n)
  })

  it('an API key with one wrong character or two swapped neighboring characters is always detected', () => {
    const { key } = makeKey()
    let tried = 0
    const accepted: string[] = []
    const attempt = (text: string) => {
      if (text === key) return
      tried += 1
      if (readKey(text)) accepted.push(text)
    }
    for (let i = 0; i < key.length; i += 1) {
      for (const other of 'aZ0_-') attempt(key.slice(0, i) + other + key.slice(i + 1))
      attempt(key.slice(0, i) + key[i + 1] + key[i] + key.slice(i + 2))
    }
    for (const odd of [
      `${key} `,
      ` ${key}`,
      `${key}\n`,
      key.toLowerCase(),
      key.slice(1),
      key.slice(0, -1),
      `${key}0`,
    ])
      attempt(odd)
    console.info(`T44 mistyped keys taken ${accepted.length} of ${tried}`)
    expect(accepted).toEqual([])
    expect(tried).toBeGreaterThan(300)
  })

  it('strings in another format are not accepted as API keys', () => {
    for (const text of [
      '',
      'pgo_',
      'pgo_a_b_c',
      'null',
      'a'.repeat(100_000),
      'pgo_'.repeat(20),
      '\0',
      '٣'.repeat(68),
    ])
      expect([text.slice(0, 20), readKey(text)]).toEqual([text.slice(0, 20), null])
  })
})
