import type { Schema } from '@pegasus/contracts/endpoint'
import type { FastifySerializerCompiler } from 'fastify'
import { ResponseSerializationError } from 'fastify-type-provider-zod'
import * as z from 'zod/mini'

/**
 * Writes answers by their declared schema: what it does not name does not leave the server, and an answer that is not
 * as it says is an error of ours. The check is compiled, on first use: walked through for each answer, it takes
 * longer than writing the JSON.
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
