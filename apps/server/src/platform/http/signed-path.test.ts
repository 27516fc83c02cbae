import { describe, expect, it } from 'vitest'
import { TestClock } from '../../../test/support/build-test-app.ts'
import { HOUR_MS, SECOND_MS } from '../clock.ts'
import { createPathSigner, signPaths } from './signed-path.ts'

const PATH = '/api/stl-files/1/thumbnail'

const aSigner = (key = 'k') => {
  const clock = new TestClock()
  // Begin two seconds into an hour, so that the next hour is far away.
  clock.advance(HOUR_MS - (clock.now().getTime() % HOUR_MS) + 2 * SECOND_MS)
  return { clock, signer: createPathSigner({ key: Buffer.from(key.repeat(32)), clock }) }
}

describe('signed addresses', () => {
  it('a signed address stays the same for an hour, and changes in the next hour', () => {
    const { clock, signer } = aSigner()
    const address = signer.sign(PATH)
    clock.advance(HOUR_MS - 3 * SECOND_MS)
    expect(signer.sign(PATH)).toBe(address)
    clock.advance(2 * SECOND_MS)
    const next = signer.sign(PATH)
    expect(next).not.toBe(address)
    expect([address, next].map((each) => signer.isValid(each))).toEqual([true, true])
  })

  it('a signed address is valid for 24 to 25 hours', () => {
    const { clock, signer } = aSigner()
    const address = signer.sign(PATH)
    clock.advance(24 * HOUR_MS)
    expect(signer.isValid(address)).toBe(true)
    clock.advance(HOUR_MS)
    expect(signer.isValid(address)).toBe(false)
    expect(signer.isValid(signer.sign(PATH))).toBe(true)
  })

  it('a signed address is valid only for its own path and only with the key that signed it', () => {
    const { signer } = aSigner()
    const address = signer.sign(PATH)
    const other = signer.sign('/api/stl-files/2/thumbnail')
    const signature = (url: string) => url.split('?')[1]
    expect(signature(other)).not.toBe(signature(address))
    expect(signer.isValid(`/api/stl-files/2/thumbnail?${signature(address)}`)).toBe(false)
    expect(aSigner('x').signer.isValid(address)).toBe(false)
  })
})

it('addresses in JSON from the database are signed, and text that looks like an address is not changed', () => {
  const { signer } = aSigner()
  const title = '","thumbnail_path":"~/api/secret~'
  const json = JSON.stringify([
    {
      title,
      tags: ['~/api/secret~'],
      thumbnail_path: `~${PATH}~&of=1`,
      qr_code_path: '~/api/inventory/1/label~',
    },
    { title: '~/api/secret~', thumbnail_path: null },
  ])
  expect(JSON.parse(signPaths(json, signer))).toEqual([
    {
      title,
      tags: ['~/api/secret~'],
      thumbnail_path: `${signer.sign(PATH)}&of=1`,
      qr_code_path: signer.sign('/api/inventory/1/label'),
    },
    { title: '~/api/secret~', thumbnail_path: null },
  ])
})
