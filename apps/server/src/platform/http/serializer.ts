import type { Schema } from '@pegasus/contracts/endpoint'
import type { FastifySerializerCompiler } from 'fastify'
import { ResponseSerializationError } from 'fastify-type-provider-zod'
import * as z from 'zod/mini'

/**
 * Serializes a response by its declared schema. Undeclared fields are left out, and a response that does not match is a
 * bug. The checks are compiled on first use, because interpreting a schema takes longer than writing the JSON.
 */
export const serializerCompiler: FastifySerializerCompiler<Schema> = ({ schema, method, url }) => {
  let compiled: Schema | undefined
  return (answer) => {
    compiled ??= z.compile(schema)
    const { data, error } = z.safeParse(compiled, answer)
    if (error) throw new ResponseSerializationError(method, url, { cause: error })
    return JSON.stringify(data)
  }
}
