import type { Endpoint } from '@pegasus/contracts/endpoint'
import * as z from 'zod'
import { documentPathOf } from '../../../src/platform/http/api-docs/openapi.ts'
import type { TestApp } from '../../support/build-test-app.ts'
import type { Operation } from './random-request.ts'

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>

interface SentResponse {
  statusCode: number
  headers: Readonly<Record<string, string | string[] | number | undefined>>
  body: string
}

/**
 * Statuses that may be returned if a shop, a printer or an object store is unreachable or full. Any other server error
 * is a fault.
 */
const DECLARED_FAILURES: ReadonlySet<number> = new Set([502, 503, 507])

/** Compares responses with the OpenAPI document. */
interface ResponseCheck {
  /** Returns the operation that describes an endpoint. */
  operationOf(endpoint: Endpoint): Operation
  /**
   * Returns a text about a wrong response, or null. Wrong are a server error, a status or a media type that is not in
   * the document, and JSON that does not match its schema.
   */
  differenceOf(endpoint: Endpoint, response: SentResponse): string | null
}

export async function createResponseCheck(app: TestApp): Promise<ResponseCheck> {
  const { paths } = (await app.http.inject('/api/openapi.json')).json<{ paths: Paths }>()
  const schemas = new Map<object, z.ZodType>()
  const operationOf = ({ method, path }: Endpoint): Operation => {
    const operation = paths[documentPathOf(path)]?.[method.toLowerCase()]
    if (!operation) throw new Error(`${method} ${path} is not in the document`)
    return operation
  }
  return {
    operationOf,
    differenceOf(endpoint, { statusCode, headers, body }) {
      const shown = body.slice(0, 300)
      if (statusCode >= 500 && !DECLARED_FAILURES.has(statusCode)) return `server error, ${shown}`
      const declared = operationOf(endpoint).responses[statusCode]
      if (!declared) return `undeclared status, ${shown}`
      const [mediaType = ''] = String(headers['content-type'] ?? '').split(';')
      if (!declared.content) return body === '' ? null : `undeclared body, ${shown}`
      if (mediaType !== 'application/json') return null
      const { schema } = declared.content[mediaType] ?? {}
      if (!schema) return `undeclared JSON, ${shown}`
      if (schema.format === 'binary') return null
      if (!schemas.has(schema)) schemas.set(schema, z.fromJSONSchema(schema as never))
      const { error } = schemas.get(schema)!.safeParse(JSON.parse(body))
      return error ? `${z.prettifyError(error).slice(0, 300)}, ${shown}` : null
    },
  }
}
