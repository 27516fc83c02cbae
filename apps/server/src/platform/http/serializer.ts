import type { Schema } from '@pegasus/contracts/endpoint'
import type { FastifySerializerCompiler } from 'fastify'
import { ResponseSerializationError } from 'fastify-type-provider-zod'
import * as z from 'zod/mini'

/**
 * Serializes responses by their declared schema. Undeclared fields never leave the server, and a response
 * that does not match is a bug. The check is compiled on first use, because interpreting it for each response
 * would take longer than writing the JSON.
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
