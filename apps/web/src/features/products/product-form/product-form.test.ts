import { describe, expect, it } from 'vitest'
import { basicsErrors, EMPTY_FORM, stillWrong } from './product-form.ts'

describe('what was found wrong with a product', () => {
  const found = basicsErrors(EMPTY_FORM)

  it('is blamed no longer once it was filled from elsewhere, and the rest still is', () => {
    expect(found).toHaveProperty('name')
    const filled = { ...EMPTY_FORM, name: 'Follower base', slug: 'follower-base', description: 'The base.' }
    expect(stillWrong(found, filled)).toEqual({
      category: found.category,
      price: found.price,
      stock: found.stock,
    })
  })

  it('is not blamed before anybody has been told', () => {
    expect(stillWrong({}, EMPTY_FORM)).toEqual({})
  })
})
