import * as z from 'zod/mini'
import { describe, expect, it } from 'vitest'
import { declareEndpoints } from './endpoint.ts'
import { idParams } from './fields.ts'

const { get, post, del } = declareEndpoints('orders')
const body = z.object({ note: z.string() })

describe('declaring endpoints', () => {
  it('declareEndpoints adds the errors that follow from access, input and a required recent sign-in', () => {
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

  it('declareEndpoints adds the error for an unknown `:id` and the errors that all actions have in common', () => {
    const { get, post, declareActions, declareTrash } = declareEndpoints('orders', {
      notFound: 'ORDER_NOT_FOUND',
    })
    expect(get('/api/orders/:id', 'public', { summary: '' }).errors).toEqual(['ORDER_NOT_FOUND'])
    expect(post('/api/orders', 'public', { summary: '' }).errors).toEqual([])
    const action = declareActions('/api/orders/:id', 'public', { returns: body, errors: ['ORDER_INVALID'] })
    expect(action('ship', 'Ship an order', { body, errors: ['STOCK_LIMIT'] })).toMatchObject({
      method: 'POST',
      path: '/api/orders/:id/ship',
      access: 'public',
      summary: 'Ship an order',
      success: { status: 200, body },
      errors: ['INVALID_INPUT', 'ORDER_NOT_FOUND', 'ORDER_INVALID', 'STOCK_LIMIT'],
    })
    const trash = declareTrash('/api/orders', 'staff', {
      name: 'an order',
      returns: body,
      remove: ['ITEM_IN_USE'],
      restore: ['SKU_TAKEN'],
    })
    expect([trash.remove, trash.restore]).toMatchObject([
      {
        method: 'DELETE',
        path: '/api/orders/:id',
        access: 'staff',
        errors: ['UNAUTHENTICATED', 'FORBIDDEN', 'ORDER_NOT_FOUND', 'ITEM_IN_USE', 'PRECONDITION_FAILED'],
      },
      {
        method: 'POST',
        path: '/api/orders/:id/restore',
        access: 'staff',
        errors: ['UNAUTHENTICATED', 'FORBIDDEN', 'ORDER_NOT_FOUND', 'SKU_TAKEN'],
      },
    ])
  })

  it('declareEndpoints expects a UUID for :id unless the declaration says otherwise', () => {
    expect(get('/api/orders/:id', 'signed-in', { summary: '' }).params).toBe(idParams)
    const params = z.object({ id: z.string() })
    expect(get('/api/orders/:id', 'signed-in', { summary: '', params }).params).toBe(params)
    expect(get('/api/orders/:id', 'nobody', { summary: '' })).not.toHaveProperty('params')
  })

  it('declareEndpoints can declare a success response with a JSON body, with bytes or without a body', () => {
    const successOf = (response: object) => get('/api/orders', 'public', { summary: '', ...response }).success
    expect(successOf({ returns: body })).toEqual({ status: 200, body })
    expect(successOf({ creates: body })).toEqual({ status: 201, body })
    expect(successOf({ sends: 'text/csv' })).toEqual({ status: 200, body: null, contentType: 'text/csv' })
    expect(successOf({ success: { status: 303, body: null } })).toEqual({ status: 303, body: null })
    expect(successOf({})).toEqual({ status: 204, body: null })
  })
})
