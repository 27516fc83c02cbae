import { describe, expect, it } from 'vitest'
import { pictureAddress } from './picture-address.ts'

const PATH = '/storage/v1/object/public/product-images/images/products/vase.jpg'
const PROJECT = 'https://project.example.com'

describe('pictureAddress', () => {
  it.each([[PATH], [`http://localhost:3000${PATH}`], [`https://ops.example${PATH}`]])(
    'pictureAddress(%s) is a path on this server, under whichever host name the product was stored',
    (src) => {
      const own = pictureAddress(PATH, { width: 320, projectUrl: null })
      expect(own).toMatch(/^\/storage\/v1\//)
      expect(pictureAddress(src, { width: 320, projectUrl: null })).toBe(own)
      expect(pictureAddress(src, { width: 320, projectUrl: PROJECT })).toBe(own)
    },
  )

  it.each([
    [`${PROJECT}${PATH}`],
    [`${PATH}?v=1`],
    ['https://elsewhere.example/vase.jpg'],
    ['blob:https://ops/1'],
  ])('pictureAddress does not change %s', (src) => {
    expect(pictureAddress(src, { width: 320, projectUrl: PROJECT })).toBe(src)
  })
})
