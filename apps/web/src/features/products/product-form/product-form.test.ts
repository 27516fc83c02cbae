import { describe, expect, it } from 'vitest'
import { basicsErrors, EMPTY_FORM, stillWrong } from './product-form.ts'

describe("errors of a product's fields", () => {
  const found = basicsErrors(EMPTY_FORM)

  it('the error of a product field disappears when the field is filled in automatically, but other errors stay', () => {
    expect(found).toHaveProperty('name')
    const filled = { ...EMPTY_FORM, name: 'Follower base', slug: 'follower-base', description: 'The base.' }
    expect(stillWrong(found, filled)).toEqual({
      category: found.category,
      price: found.price,
      stock: found.stock,
    })
  })

  it('errors of product fields are not shown before the first check', () => {
    expect(stillWrong({}, EMPTY_FORM)).toEqual({})
  })
})
