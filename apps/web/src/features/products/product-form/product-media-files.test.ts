import { describe, expect, it } from 'vitest'
import { EMPTY_FORM } from './product-form.ts'
import { moved, nameAdded, withAddress, withoutAddress } from './product-media-files.ts'

const files = (...names: string[]): File[] => names.map((name) => new File(['x'], name))

describe('names of files that are added to a product', () => {
  it.each<[string[], string[], string[]]>([
    [['a.png'], [], ['hook.jpg']],
    [['a.jpg', 'b.webp'], [], ['hook-1.jpg', 'hook-2.jpg']],
    [['a.jpg'], ['hook.jpg'], ['hook-1.jpg']],
    [['a.jpg', 'b.jpg'], ['hook-1.jpg'], ['hook-3.jpg', 'hook-2.jpg']],
    [['turn.webm'], [], ['hook.webm']],
    [['turn.webm'], ['hook.webm'], ['hook-1.webm']],
  ])('if the files %j are added to a product that has %j, they are named %j', (added, taken, names) => {
    expect(nameAdded('hook', files(...added), new Set(taken))).toEqual(names)
  })
})

describe('media of a product', () => {
  it("a product's first picture is its poster until that picture is removed", () => {
    const one = { ...EMPTY_FORM, ...withAddress(EMPTY_FORM, '/p/a.jpg') }
    const two = { ...one, ...withAddress(one, '/p/b.jpg') }
    expect([two.images, two.posterUrl]).toEqual([['/p/a.jpg', '/p/b.jpg'], '/p/a.jpg'])
    expect(withoutAddress(two, '/p/a.jpg')).toMatchObject({ images: ['/p/b.jpg'], posterUrl: '/p/b.jpg' })
    expect(withAddress(two, '/p/c.webm')).toMatchObject({ images: two.images, videos: ['/p/c.webm'] })
  })

  it('a media file of a product can be moved by one position', () => {
    expect(moved(['a', 'b', 'c'], 2, -1)).toEqual(['a', 'c', 'b'])
    expect(moved(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c'])
  })
})
