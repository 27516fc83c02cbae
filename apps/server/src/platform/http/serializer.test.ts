import type { Schema } from '@pegasus/contracts/endpoint'
import { ResponseSerializationError } from 'fastify-type-provider-zod'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { buildTestApp } from '../../../test/support/build-test-app.ts'
import { serializerCompiler } from './serializer.ts'

const person = z.object({ name: z.string(), email: z.optional(z.string()) })
const shop = z.object({ owner: person, people: z.array(person), seats: z.nullable(z.number()) })

const write = (schema: Schema, answer: unknown): unknown =>
  JSON.parse(serializerCompiler({ schema, method: 'GET', url: '/', httpStatus: '200' })(answer))

const answer = () => ({
  owner: { name: 'Ada', password_hash: 'secret' },
  people: [{ name: 'Bea', email: 'bea@example.com', token: 'secret' }],
  seats: null,
  root_secret: 'secret',
})

describe('serialized responses', () => {
  it('a response contains only the fields of its schema, even in nested objects', () => {
    const row = answer()
    expect(write(shop, row)).toEqual({
      owner: { name: 'Ada' },
      people: [{ name: 'Bea', email: 'bea@example.com' }],
      seats: null,
    })
    expect(row.owner.password_hash).toBe('secret')
    expect(write(z.array(z.union([person, shop])), [row.owner, row])).toEqual([
      { name: 'Ada' },
      { owner: { name: 'Ada' }, people: [{ name: 'Bea', email: 'bea@example.com' }], seats: null },
    ])
  })

  it('a response that does not match its schema is replaced by an error', () => {
    for (const wrong of [
      { seats: '3' },
      { seats: undefined },
      { seats: Number.NaN },
      { owner: null },
      { people: {} },
    ])
      expect(() => write(shop, { ...answer(), ...wrong })).toThrow(ResponseSerializationError)
  })
})

/**
 * Converts a schema to JSON Schema. Leaves out `additionalProperties: false`, which only output schemas have, so that
 * input and output can be compared.
 */
const describeAs = (io: 'input' | 'output', body: Schema): unknown =>
  JSON.parse(JSON.stringify(z.toJSONSchema(body, { io })), (key, value: unknown) =>
    key === 'additionalProperties' && value === false ? undefined : value,
  )

describe('the declared response schemas', () => {
  it('all response schemas can be compiled, and none has defaults or transformations', async () => {
    const { endpoints } = await buildTestApp()
    const bodies = endpoints.all.flatMap(({ success }) => success.body ?? [])
    for (const body of bodies) {
      expect(() => z.compile(body, { strict: true })).not.toThrow()
      expect(describeAs('input', body)).toEqual(describeAs('output', body))
    }
    expect(bodies.length).toBeGreaterThan(30)
  })
})
