import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dictionary } from '@zxcvbn-ts/language-common'
import { describe, expect, it } from 'vitest'
import {
  COMMON_PASSWORDS_FILE,
  COMMON_PASSWORD_COUNT,
  commonPasswordHash,
  isCommonPassword,
} from './common-passwords.ts'
import { hashCommonPasswords } from './generate-common-passwords.ts'

/**
 * Common passwords from far down the second source of the list. The other source is a package, which this test reads.
 */
const RARER = ['blahblah1', 'mustang67', 'Password123', 'letmein1', 'qwerty12345']

/** Returns a text that looks random and is in no list of passwords. The text depends only on the index. */
const unguessable = (index: number): string =>
  createHash('sha256').update(`password ${index}`).digest('base64url').slice(0, 12)

describe('T35 the list of common passwords', () => {
  it('the list of common passwords contains 100,000 different passwords, in the order that the search needs', () => {
    const bytes = readFileSync(COMMON_PASSWORDS_FILE)
    const width = commonPasswordHash('').length
    const hashes = Array.from({ length: bytes.length / width }, (_, index) =>
      bytes.toString('hex', index * width, (index + 1) * width),
    )
    expect([hashes.length, new Set(hashes).size]).toEqual([COMMON_PASSWORD_COUNT, COMMON_PASSWORD_COUNT])
    expect(hashes).toEqual(hashes.toSorted())
  })

  it('the list of common passwords refuses exactly the passwords of both sources, in any case and composition of accents', () => {
    const words = dictionary['passwords-common'].filter((word) => [...word].length >= 6)
    const spellings = [...words, ...RARER].flatMap((word) => [
      word,
      word.toUpperCase(),
      word.normalize('NFD'),
    ])
    const taken = spellings.filter((word) => !isCommonPassword(word))
    const others = Array.from({ length: 20_000 }, (_, index) => unguessable(index))
    const refused = others.filter(isCommonPassword)
    console.info(
      `T35 common passwords not recognized ${taken.length} of ${spellings.length}; others refused ${refused.length} of ${others.length}`,
    )
    expect([taken, refused]).toEqual([[], []])
  })

  it('the list of common passwords contains each password of an allowed length once, in the order of the sources', () => {
    const made = hashCommonPasswords(
      [
        ['Aaaaaa', 'short', 'aaaaaa', 'bbbbbb'],
        ['cccccc', 'dddddd'],
      ],
      3,
    )
    const expected = ['aaaaaa', 'bbbbbb', 'cccccc'].map(commonPasswordHash).sort(Buffer.compare)
    expect(made).toEqual(Buffer.concat(expected))
  })
})
