import * as z from 'zod/mini'
import { describe, expect, it } from 'vitest'
import { declareEndpoints } from './endpoint.ts'
import { idParams } from './fields.ts'

const { get, post, del } = declareEndpoints('orders')
const body = z.object({ note: z.string() })

describe('declareEndpoints', () => {
  it('adds the errors that follow from access, input and recent sign-in', () => {
    const summary = 'An order'
    expect(get('/api/orders', 'public', { summary }).errors).toEqual([])
    expect(post('/api/orders', 'staff', { summary, body, errors: ['ORDER_INVALID'] }).errors).toEqual([
      'UNAUTHENTICATED',
      'FORBIDDEN',
      'INVALID_INPUT',
      'ORDER_INVALID',
    ])
    const sensitive = { summary, refusal: 'ADMIN_REQUIRED', needsRecentSignIn: true } as const
    expect(del('/api/orders', 'admin', sensitive).errors).toEqual([
      'UNAUTHENTICATED',
      'ADMIN_REQUIRED',
      'REAUTHENTICATION_REQUIRED',
    ])
  })

  it('takes a UUID for :id unless the declaration says otherwise', () => {
    expect(get('/api/orders/:id', 'signed-in', { summary: '' }).params).toBe(idParams)
    const params = z.object({ id: z.string() })
    expect(get('/api/orders/:id', 'signed-in', { summary: '', params }).params).toBe(params)
    expect(get('/api/orders/:id', 'nobody', { summary: '' })).not.toHaveProperty('params')
  })

  it('answers with the declared body, with bytes or without a body', () => {
    const successOf = (response: object) => get('/api/orders', 'public', { summary: '', ...response }).success
    expect(successOf({ returns: body })).toEqual({ status: 200, body })
    expect(successOf({ creates: body })).toEqual({ status: 201, body })
    expect(successOf({ sends: 'text/csv' })).toEqual({ status: 200, body: null, contentType: 'text/csv' })
    expect(successOf({ success: { status: 303, body: null } })).toEqual({ status: 303, body: null })
    expect(successOf({})).toEqual({ status: 204, body: null })
  })
})
