import { describe, expect, it } from 'vitest'
import { type MediaFile, mediaPath, nameMedia, pictureVariantPath, publicMediaPath } from './media-files.ts'

const file = (name: string): MediaFile => ({ name })
const poster = (name: string): MediaFile => ({ name, isPoster: true })
const video = (name: string): MediaFile => ({ name, isVideo: true })

const CASES: readonly [why: string, files: MediaFile[], names: string[]][] = [
  ['one picture', [file('IMG_1.JPG')], ['dragon.jpg']],
  ['one picture of another kind', [file('a.webp')], ['dragon.jpg']],
  ['one poster', [poster('a.jpeg')], ['dragon-poster.jpg']],
  [
    'several pictures',
    [file('a.jpg'), file('b.webp'), file('c.jpeg')],
    ['dragon-1.jpg', 'dragon-2.jpg', 'dragon-3.jpg'],
  ],
  ['a marked video', [video('turn.webm')], ['dragon.webm']],
  ['a video that is not marked', [file('turn.webm')], ['dragon-1.webm']],
  ['a marked video with its only picture', [video('t.webm'), file('a.jpg')], ['dragon.webm', 'dragon.jpg']],
  [
    'a poster mark on a video and a video mark on a picture',
    [poster('t.webm'), video('a.jpg')],
    ['dragon-1.webm', 'dragon.jpg'],
  ],
  ['a poster among pictures', [poster('a.jpg'), file('b.jpg')], ['dragon-poster.jpg', 'dragon-1.jpg']],
  ['two posters', [poster('a.jpg'), poster('b.jpg')], ['dragon-poster.jpg', 'dragon-1.jpg']],
  ['two videos', [video('a.webm'), video('b.webm')], ['dragon.webm', 'dragon-1.webm']],
  [
    'all sorts, each counted by itself',
    [file('a.jpg'), file('b.webm'), file('c.jpg'), file('d.pdf')],
    ['dragon-1.jpg', 'dragon-1.webm', 'dragon-2.jpg', 'dragon-2.pdf'],
  ],
  ['endings that cannot stand in an address', [file('x'), file('y.ä/b')], ['dragon-1.bin', 'dragon-2.bin']],
  ['the last ending alone', [file('a.php.jpg')], ['dragon.jpg']],
  ['nothing', [], []],
]

describe('naming media files', () => {
  it.each(CASES)('nameMedia returns the specified file names for this upload: %s', (_, files, names) => {
    expect(nameMedia('dragon', files)).toEqual(names)
  })

  it('nameMedia gives every file a different name', () => {
    for (const [, files, names] of CASES) expect(new Set(names).size).toBe(files.length)
  })
})

it('publicMediaPath and pictureVariantPath build the public paths of files in the bucket', () => {
  const path = mediaPath('dragon 1?.jpg')
  expect(path).toBe('images/products/dragon 1?.jpg')
  expect(publicMediaPath(path)).toBe(
    '/storage/v1/object/public/product-images/images/products/dragon%201%3F.jpg',
  )
  expect(pictureVariantPath('a.jpg', { width: 640, format: 'avif' })).toBe(
    '/storage/v1/render/image/public/product-images/a.jpg?width=640&format=avif',
  )
})
