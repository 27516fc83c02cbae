import { afterAll, beforeAll, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { validationMessage } from './validation-messages.ts'

const before = z.config()
beforeAll(() => z.config({ localeError: validationMessage }))
afterAll(() => z.config(before))

const body = z.object({
  name: z.string().check(z.minLength(2), z.maxLength(4)),
  quantity: z.optional(z.number().check(z.gte(0), z.lt(10), z.multipleOf(2))),
  status: z.optional(z.enum(['active', 'archived'])),
  id: z.optional(z.uuid()),
  code: z.optional(z.string().check(z.regex(/^[A-Z]+$/))),
  lines: z.optional(z.array(z.object({ sku: z.string() })).check(z.maxLength(1))),
  size: z.optional(z.union([z.string(), z.number()])),
})

it.each([
  [undefined, 'The request has no body.'],
  [null, 'The request has no body.'],
  [[1], 'The request must be an object.'],
  [{}, 'name is required.'],
  [{ name: 5 }, 'name must be text.'],
  [{ name: null }, 'name must be text.'],
  [{ name: 'a' }, 'name must have at least 2 characters.'],
  [{ name: 'abcde' }, 'name must have at most 4 characters.'],
  [{ name: 'ab', quantity: -2 }, 'quantity must be at least 0.'],
  [{ name: 'ab', quantity: 10 }, 'quantity must be less than 10.'],
  [{ name: 'ab', quantity: 3 }, 'quantity must be a multiple of 2.'],
  [{ name: 'ab', status: 'gone' }, 'status must be "active" or "archived".'],
  [{ name: 'ab', id: 'x' }, 'id must be a UUID.'],
  [{ name: 'ab', code: 'x' }, 'code must be written as described at /api/docs.'],
  [{ name: 'ab', lines: [{}] }, 'lines.0.sku is required.'],
  [{ name: 'ab', lines: [{ sku: '' }, { sku: '' }] }, 'lines must have at most 1 entries.'],
  [{ name: 'ab', size: true }, 'size does not have an accepted type; see /api/docs.'],
])('the request body %j is refused with a readable sentence', (input, sentence) => {
  expect(z.safeParse(body, input).error?.issues[0]?.message).toBe(sentence)
})
