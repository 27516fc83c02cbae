import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import { PRODUCT_NAME } from '@pegasus/contracts/client-config'
import type { Endpoint } from '@pegasus/contracts/endpoint'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { type ApiDescription, API_DOCS_STYLE, apiDocsPage } from './api-docs-page.ts'
import { textErrorsOf } from './error-responses.ts'
import { createStaticDocument, type StaticDocument } from './static-document.ts'
import { MAX_KEY_LENGTH } from '../idempotency.ts'
import { styledPagePolicy } from '../security-headers.ts'

type Transform = NonNullable<FastifyDynamicSwaggerOptions['transform']>
type TransformObject = NonNullable<FastifyDynamicSwaggerOptions['transformObject']>

/** Returns the successful responses of an endpoint that are not JSON: no body, a redirect, or a file. */
function responsesWithoutJson({ success, alternative }: Endpoint): Record<string, object> {
  if (success.body) return {}
  const isFile = 'contentType' in success
  const file = { schema: { type: 'string', format: 'binary' } }
  const response = {
    description: isFile ? 'The file' : 'No body',
    ...(isFile ? { content: { [success.contentType.split(';', 1)[0] ?? '']: file } } : { type: 'null' }),
  }
  return {
    [success.status]: response,
    ...(alternative !== undefined && { [alternative]: { description: 'No body', type: 'null' } }),
  }
}

/**
 * The OpenAPI description of the `Idempotency-Key` header. Handlers read this header themselves, so no route has a
 * schema for it.
 */
const IDEMPOTENCY_KEY = {
  type: 'object',
  properties: {
    'Idempotency-Key': {
      type: 'string',
      minLength: 1,
      maxLength: MAX_KEY_LENGTH,
      description: 'For 24 hours, a repeated request with the same key and body has no further effect.',
    },
  },
}

/** Returns the OpenAPI description of an endpoint: its schemas, and the header and responses that have no schema. */
const describeRoute: Transform = (route) => {
  const described = jsonSchemaTransform(route)
  const { endpoint } = route.route.config ?? {}
  if (!endpoint || endpoint.access === 'nobody' || described.schema.hide) return described
  const response = Object.assign(
    responsesWithoutJson(endpoint),
    textErrorsOf(endpoint),
    described.schema.response,
  )
  const headers = endpoint.errors.includes('IDEMPOTENCY_KEY_REUSED') && { headers: IDEMPOTENCY_KEY }
  return { ...described, schema: { ...described.schema, ...headers, response } }
}

/** Converts the path of a route to OpenAPI's form: `:id` becomes `{id}`, and a final `*` becomes `{path}`. */
export const documentPathOf = (path: string): string => path.replace(/:(\w+)/g, '{$1}').replace('*', '{path}')

/** Returns a name for generated functions: `GET /api/inventory/{id}` becomes `getApiInventoryById`. */
function operationIdOf(method: string, path: string): string {
  const words = path.split('/').flatMap((part) => {
    const name = /^\{(.+)\}$/.exec(part)?.[1]
    return [...(name === undefined ? [] : ['by']), ...(name ?? part).split(/[^A-Za-z0-9]+/)]
  })
  const capitalized = words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
  return method + capitalized.join('')
}

interface Parameter {
  name: string
  in: string
}

interface Operation {
  operationId?: string
  parameters?: Parameter[]
}

interface ApiDocument {
  paths?: Record<string, Record<string, Operation>>
}

/**
 * Leaves out the second spelling of a parameter, such as Spoolman's deprecated `vendor_name` beside `vendor.name`.
 * Generated clients make the same name of both, so they would not compile.
 */
function withoutSecondSpellings(parameters: readonly Parameter[]): Parameter[] {
  const dotted = new Set(parameters.filter(({ name }) => name.includes('.')).map(({ name }) => name))
  return parameters.filter(({ name }) => !name.includes('_') || !dotted.has(name.replaceAll('_', '.')))
}

/**
 * Gives each operation an id, and names the parameter for the rest of a path `path`. Fastify names it `*`, which is not
 * a valid name in OpenAPI.
 */
function nameParts(document: ApiDocument): ApiDocument {
  const paths = Object.entries(document.paths ?? {}).map(([path, operations]) => {
    const named = path.replace('{*}', '{path}')
    for (const [method, operation] of Object.entries(operations)) {
      operation.operationId = operationIdOf(method, named)
      if (operation.parameters) operation.parameters = withoutSecondSpellings(operation.parameters)
      for (const parameter of operation.parameters ?? [])
        if (parameter.in === 'path' && parameter.name === '*') parameter.name = 'path'
    }
    return [named, operations] as const
  })
  return { ...document, paths: Object.fromEntries(paths) }
}

const transformObject: TransformObject = (input) =>
  nameParts(jsonSchemaTransformObject(input) as ApiDocument) as ReturnType<TransformObject>

/**
 * Describes the registered endpoints from the schemas that validate them: `/api/openapi.json` for programs
 * and `/api/docs` for people. Each document is built once, on the first request: both are public, and
 * building one takes longer than hundreds of other calls.
 */
export async function describeApi(app: FastifyInstance, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: `${PRODUCT_NAME} API`, version },
      // The address is relative to that of the document, because a server can have several addresses.
      servers: [{ url: '/' }],
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: "A person's access token, from POST /auth/login.",
          },
          serviceKey: {
            type: 'http',
            scheme: 'bearer',
            description:
              'A key of the hosted service protocol: `sb_secret_…`, or a JWT with the role service_role. The header `apikey` also accepts it.',
          },
          apiKey: {
            type: 'apiKey',
            in: 'header',
            name: 'X-API-Key',
            description: 'An API key; `Authorization: Bearer` also accepts it. It allows only these calls.',
          },
        },
      },
    },
    transform: describeRoute,
    transformObject,
  })
  const addDocument = (path: string, create: () => Promise<StaticDocument>): void => {
    let document: Promise<StaticDocument> | undefined
    app.get(path, { schema: { hide: true }, config: { isCounted: true } }, async (request, reply) => {
      document ??= create()
      return (await document).send(request, reply)
    })
  }
  addDocument('/api/openapi.json', () =>
    createStaticDocument(JSON.stringify(app.swagger()), {
      'content-type': 'application/json; charset=utf-8',
    }),
  )
  addDocument('/api/docs', () =>
    createStaticDocument(apiDocsPage(app.swagger() as ApiDescription), {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': styledPagePolicy(API_DOCS_STYLE),
    }),
  )
}
